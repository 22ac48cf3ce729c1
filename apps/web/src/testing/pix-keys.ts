import { listPixKeys, type PixKeyOnWire, readPixKey } from "@malote/contracts/pix-keys";
import { fakeServer, refuse } from "./fake-server.ts";

/** One white dot. */
const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** A registered e-mail key; a test sets only the fields it is about. */
export function buildPixKey(given: Partial<PixKeyOnWire> = {}): PixKeyOnWire {
  return {
    id: "0198f000-0000-7000-8000-000000000071",
    key_type: "EMAIL",
    key: "financeiro@aurora.exemplo",
    status: "REGISTERED",
    ownership_date: "2026-03-02T13:00:00.000Z",
    pix_qrcode_image: picture,
    pix_qrcode_emv_payload: "00020126PIX",
    updated_at: "2026-03-02T13:00:00.000Z",
    error: null,
    ...given,
  };
}

/** Keys of the fake server: the list, and each by itself. Actions change them. */
export function serveKeys(...keys: PixKeyOnWire[]) {
  const held = new Map(keys.map((key) => [key.id, key]));
  fakeServer.on(listPixKeys, () => ({
    data: [...held.values()].filter(({ status }) => status !== "REMOVED"),
  }));
  fakeServer.on(readPixKey, ({ params }) => held.get(params["id"] ?? "") ?? refuse("not_found"));
  return {
    change(id: string, changed: Partial<PixKeyOnWire>): PixKeyOnWire {
      const next = { ...(held.get(id) ?? buildPixKey({ id })), ...changed };
      held.set(id, next);
      return next;
    },
  };
}
