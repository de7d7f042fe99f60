/** What an origin asked for, and what a wait for it comes to. */

/** Until when an origin asked to be left alone, on the monotonic clock, and the longest time that it asked for, in ms. */
export interface Pause {
  readonly until: number;
  readonly asked: number;
}

/** From when to when an attempt has waited, on the monotonic clock, as if a `sleep` had moved it. */
export interface Waited {
  readonly since: number;
  readonly until: number;
}
