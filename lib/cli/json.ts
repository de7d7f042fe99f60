/** JSON that can be read again: it has no Infinity of its own, and terminals obey some characters that it leaves as they are. */

const RAW = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

const toEscapes = (text: string): string =>
  [...Array(text.length).keys()].map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');

/** `Infinity` as the string of that name, and what a terminal could obey as escapes. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_, field: unknown) => (field === Infinity ? 'Infinity' : field), indent);
  return text.replace(RAW, toEscapes);
}

/** @throws SyntaxError if it is no JSON. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_, field: unknown) => (field === 'Infinity' ? Infinity : field)) as unknown;
}
