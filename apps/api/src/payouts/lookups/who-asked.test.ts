/** The name shown beside an answer about a key or a boleto. */
import { lookUpBoleto, lookUpPixKey } from "@malote/contracts/lookups";
import { readTransfer } from "@malote/contracts/transfers";
import { formatTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { boletoDraft, boletoOf } from "../../testing/boletos.ts";
import { batch, draft, openPayments, type PaymentsKit, paidFor, pix } from "../../testing/payments-kit.ts";

const [, horizonte] = demoCompanies;
let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

/** `stranger` is an admin of a company of the other brand. */
const keyAskedBy = async (pix_key: string) =>
  (await kit.stranger.call(lookUpPixKey, { body: { pix_key_type: "EMAIL", pix_key } })).body.asked_by;

it("SHL-003 shows the system as the requester for a whole draft, never the product's name, also in older rows", async () => {
  const { id } = await draft(kit.stranger, [pix(10_00)]);
  const boleto = boletoOf(10_00);
  await boletoDraft(kit.stranger, [boleto]);
  await kit.drainJobs();
  expect(await keyAskedBy("joao@exemplo.com.br")).toBe("Marcos Vidal");
  const shown = async () => [
    await keyAskedBy("maria@exemplo.com.br"),
    (
      await kit.stranger.call(readTransfer, {
        params: { id: (await batch(kit.stranger, id)).transfers[0]?.id ?? "" },
      })
    ).body.key_holder.asked_by,
    (await kit.stranger.call(lookUpBoleto, { body: { barcode: boleto.barcode } })).body.asked_by,
  ];
  expect(await shown()).toEqual(Array(3).fill("Sistema"));

  await kit.services.db.withCompany(horizonte?.id ?? "", async (tx) => {
    for (const table of ["key_lookups", "boleto_lookups"])
      await sql`UPDATE ${sql.table(table)} SET asked_by_name = 'Malote' WHERE asked_by IS NULL`.execute(tx);
  });
  expect(await shown()).toEqual(Array(3).fill("Sistema"));
  expect(await keyAskedBy("joao@exemplo.com.br")).toBe("Marcos Vidal");
});

it.each(["66778899000186", "12ABC34501DE35"])(
  "TRF-055 shows no other document in a payment's details for a key of the company %s",
  async (cnpj) => {
    const id = await paidFor(kit, [
      pix(10_00, {
        destination_bank_account: {
          name: "Gráfica Norte Ltda",
          cpf_cnpj: cnpj,
          pix_key_type: "CNPJ",
          pix_key: cnpj,
        } as never,
      }),
    ]);
    const differs = async () => {
      const [transfer] = (await batch(kit.admin, id)).transfers;
      const { body } = await kit.admin.call(readTransfer, { params: { id: transfer?.id ?? "" } });
      return [body.destination_bank_account.cpf_cnpj, body.key_holder.differs];
    };
    await kit.drainJobs();
    // A sent payment shows the document masked, as others see it.
    expect(await differs()).toEqual([formatTaxId(cnpj), false]);
  },
);
