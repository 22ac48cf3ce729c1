/**
 * Verhoeff's check digit, which catches every single wrong digit and every swap of neighbours. `product` is the
 * multiplication of the symmetries of a pentagon and `shift` the permutation for each place from the right.
 */
const product: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
];
const shift: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
];
const inverse: readonly number[] = [0, 4, 3, 2, 1, 5, 6, 7, 8, 9];

/** Returns the check digit of a number that has only digits. */
export function verhoeff(number: string): string {
  let state = 0;
  for (let place = 1; place <= number.length; place++) {
    const digit = number.charCodeAt(number.length - place) - 48;
    state = product[state]?.[shift[place % 8]?.[digit] ?? -1] ?? Number.NaN;
  }
  const digit = inverse[state];
  if (digit === undefined) throw new Error(`not a number of digits only: ${number}`);
  return String(digit);
}
