/** Promises that the identity of every port that reports has to keep, whatever service plays it. */
import { expect, it } from "vitest";
import { type Connection, isConnectionId } from "../ports/connection.ts";

export function promisesOfConnection(open: () => Connection<unknown>): void {
  it("has an id that fits addresses and rows, and never changes it", () => {
    const connection = open();
    expect(isConnectionId(connection.id)).toBe(true);
    expect(open().id).toBe(connection.id);
  });

  it("accepts no call without the service's proof", () => {
    const { webhook } = open();
    const isGenuine = () => webhook?.isGenuine({ headers: {}, body: Buffer.from("{}") }) ?? false;
    let answer: boolean;
    try {
      answer = isGenuine();
    } catch {
      // The webhook refuses a call whose proof the adapter cannot read.
      answer = false;
    }
    expect(answer).toBe(false);
  });

  it("refuses a file that is not the service's", () => {
    const { file } = open();
    const read = () => {
      if (!file) throw new Error("no files come over this connection");
      return file.read(Buffer.from("\0 of another service"));
    };
    expect(read).toThrow();
  });
}
