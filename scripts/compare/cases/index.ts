/** All cases, by family. */
import type { Scenario } from '../scenario';
import { bodies } from './bodies';
import { cancel } from './cancel';
import { errors } from './errors';
import { failures } from './failures';
import { layers } from './layers';
import { options } from './options';
import { protection } from './protection';
import { retryAfter } from './retry-after';
import { time } from './time';
import { writes } from './writes';

export const families: readonly { readonly name: string; readonly cases: readonly Scenario[] }[] = [
  { name: 'Interceptors and attaching', cases: layers },
  { name: 'Timeouts', cases: time },
  { name: 'The same request again', cases: bodies },
  { name: 'Cancelling', cases: cancel },
  { name: 'Retry-After', cases: retryAfter },
  { name: 'Writes', cases: writes },
  { name: 'What is retried', cases: failures },
  { name: 'Errors and hooks', cases: errors },
  { name: 'Settings', cases: options },
  { name: 'Kindness to the service', cases: protection },
];
