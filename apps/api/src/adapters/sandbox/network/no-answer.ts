import { RailFault } from "../../../ports/rails.ts";

/** A caller's view of a lost answer: unknown whether the orders were taken. */
export class NoAnswer extends RailFault {
  constructor() {
    super("the payment network did not answer in time", { left: "maybe" });
  }
}
