import { RailFault } from "../../../ports/rails.ts";

/** Error of a lost answer: it is unknown whether the network accepted the orders. */
export class NoAnswer extends RailFault {
  constructor() {
    super("the payment network did not answer in time", { left: "maybe" });
  }
}
