import { Readable } from 'node:stream';
import type { RecordedRequest } from './recording-server';

export const TEXT = 'the whole body, from the first byte to the last: äöü';
export const BYTES = new TextEncoder().encode(TEXT);

/** A stream that hands out the text in small pieces. */
export const nodeStream = (): Readable => Readable.from([...BYTES].map((byte) => Buffer.from([byte])), { objectMode: false });

export const webStream = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(BYTES.slice(0, 10));
      controller.enqueue(BYTES.slice(10));
      controller.close();
    },
  });

/** Says one thing and then nothing more, until it is destroyed. */
export const endlessStream = (): Readable => {
  let isFirst = true;
  return new Readable({
    read() {
      if (isFirst) this.push('beginning');
      isFirst = false;
    },
  });
};

/** The body of a multipart request with its boundary replaced; fails when the header names another one. */
export function normalizeMultipart({ headers, body }: RecordedRequest): string {
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  const text = body.toString('latin1');
  if (boundary === undefined || !text.startsWith(`--${boundary}\r\n`)) {
    throw new Error(`No such boundary in the body: ${String(headers['content-type'])}`);
  }
  return text.replaceAll(boundary, 'BOUNDARY');
}
