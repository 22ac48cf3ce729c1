import * as z from "zod";

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2200, 0, 1);

/**
 * When something happened outside, as an ISO instant of any offset; from here on in UTC, as answers are. Years that no
 * payment is of are a fault of the sender, and dates counted from them leave what a date can say.
 */
export const outsideInstant = z.iso
  .datetime({ offset: true })
  .refine((value) => {
    const at = Date.parse(value);
    return at >= earliest && at < latest;
  }, "the instant is not between 2000 and 2199")
  .transform((value) => new Date(value).toISOString());
