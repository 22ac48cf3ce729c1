import * as z from "zod";

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2200, 0, 1);

/**
 * Validates an external ISO instant of any offset and converts it to UTC. Refuses years before 2000 and from 2200 on:
 * they are the sender's error, and dates computed from them could overflow.
 */
export const outsideInstant = z.iso
  .datetime({ offset: true })
  .refine((value) => {
    const at = Date.parse(value);
    return at >= earliest && at < latest;
  }, "the instant is not between 2000 and 2199")
  .transform((value) => new Date(value).toISOString());
