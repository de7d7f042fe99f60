/** Starting the workers: processes, or threads. */
import { fork } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { workers, type Done, type Task } from './setting';

interface Member extends EventEmitter {
  say(message: Task | 'go'): void;
}

const url = new URL('./worker.ts', import.meta.url).href;
const execArgv = ['--import', 'tsx'];
// In a thread that option does not read TypeScript on every Node: the thread registers the reader itself.
const inThread = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(url)})));`;

function startProcess(): Member {
  const child = fork(fileURLToPath(url), { execArgv });
  return Object.assign(child, { say: (message: Task | 'go') => void child.send(message) });
}

function startThread(): Member {
  const thread = new Worker(inThread, { eval: true, execArgv: [] });
  return Object.assign(thread, { say: (message: Task | 'go') => thread.postMessage(message) });
}

/** Answers of all, in the order of the members. */
function answers<T>(members: readonly Member[], isAnswer: (message: unknown) => message is T): Promise<T[]> {
  const answerOf = (member: Member): Promise<T> =>
    new Promise((resolve, reject) => {
      member.on('message', (message: unknown) => isAnswer(message) && resolve(message));
      member.once('error', reject);
      member.once('exit', (code) => reject(new Error(`a worker ended with ${String(code)}`)));
    });
  return Promise.all(members.map(answerOf));
}

const isReady = (message: unknown): message is 'ready' => message === 'ready';
const isDone = (message: unknown): message is Done => typeof message === 'object' && message !== null && 'failed' in message;

/** All begin together, when each is ready. Gives the calls that failed. */
export async function runCrew(task: Task, onBegin: () => void): Promise<number> {
  const isThreads = task.mode === 'channel' && task.redisUrl === undefined;
  const members = Array.from({ length: workers }, isThreads ? startThread : startProcess);
  const ready = answers(members, isReady);
  const done = answers(members, isDone);
  members.forEach((member) => member.say(task));
  await ready;
  onBegin();
  members.forEach((member) => member.say('go'));
  return (await done).reduce((sum, { failed }) => sum + failed, 0);
}
