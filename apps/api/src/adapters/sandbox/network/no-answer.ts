import { RailFault } from "../../../ports/rails.ts";

/** What a caller sees of a lost answer: no word on whether the orders were taken. */
export class NoAnswer extends RailFault {
  constructor() {
    super("the payment network did not answer in time", { left: "maybe" });
  }
}
