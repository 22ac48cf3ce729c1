/** Random choices that a seed repeats. They determine the clients' actions, but not how their requests interleave. */
export interface Chance {
  /** Returns a number from 0 up to, but not including, 1. */
  share(): number;
  /** Returns a whole number, both ends included. */
  between(least: number, most: number): number;
  happens(percent: number): boolean;
  oneOf<T>(list: readonly T[]): T | undefined;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32: small, and random enough for these choices.
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    share,
    between: (least, most) => least + Math.floor(share() * (most - least + 1)),
    happens: (percent) => share() * 100 < percent,
    oneOf: (list) => list[Math.floor(share() * list.length)],
  };
}
