/** Who may make a credential, and who reads of it. */
import { createCredential } from "@malote/contracts/developer";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ControlsKit, openControls } from "../testing/controls-kit.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
  await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

it("every admin is told of a new credential", async () => {
  await kit.admin.call(createCredential, { body: {} });
  expect(await kit.subjects()).toEqual([
    "helena@aurora.example Sua empresa tem uma nova credencial de API",
    "segunda@aurora.example Sua empresa tem uma nova credencial de API",
  ]);
});
