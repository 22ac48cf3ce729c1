/** What time it is, for everything that asks. */
export interface Clock {
  now(): Date;
  /** By how many milliseconds it runs ahead of real time, which sessions live by. Only the sandbox's does. */
  aheadMs?(): number;
}
