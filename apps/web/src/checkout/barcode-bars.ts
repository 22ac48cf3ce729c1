/** Bars of a boleto: Interleaved 2 of 5, as FEBRABAN prescribes. Two digits share ten bars and gaps. */
const wide = 3;

/** Five widths per digit, two of them wide. */
const widthsOf = ["nnwwn", "wnnnw", "nwnnw", "wwnnn", "nnwnw", "wnwnn", "nwwnn", "nnnww", "wnnwn", "nwnwn"];

export interface Bar {
  at: number;
  width: number;
}

/** Dark bars in units of a narrow one, with the total width. */
export function barsOf(digits: string): { bars: Bar[]; width: number } {
  if (!/^(\d\d)+$/.test(digits)) throw new Error("pairs of digits are needed");
  let pattern = "nnnn";
  for (let pair = 0; pair < digits.length; pair += 2) {
    const dark = widthsOf[Number(digits[pair])] ?? "";
    const light = widthsOf[Number(digits[pair + 1])] ?? "";
    for (let place = 0; place < 5; place++) pattern += `${dark[place]}${light[place]}`;
  }
  pattern += "wnn";
  const bars: Bar[] = [];
  let at = 0;
  for (const [place, sign] of [...pattern].entries()) {
    const width = sign === "w" ? wide : 1;
    if (place % 2 === 0) bars.push({ at, width });
    at += width;
  }
  return { bars, width: at };
}
