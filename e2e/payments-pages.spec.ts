import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { readPaymentHistory } from "@malote/contracts/history";
import { listMails } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { listAllTransfers } from "@malote/contracts/transfers";
import { actAs, send } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { admin, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const value = 321_09;

test("TRF-049 TRF-055 TRF-057 payments of all batches are found, opened, and sent as files", async ({
  page,
  server,
}) => {
  const api = await actAs(server.url, admin);
  await send(server.url, undefined, depositPix, { body: { pix_key: "financeiro@aurora.example", value } });
  const { id } = await api(createBatch, {
    body: {
      name: "Fornecedores da prova",
      transfers: [
        {
          value,
          destination_bank_account: {
            name: "Oficina das Rosas",
            pix_key_type: "EMAIL",
            pix_key: "rosas@exemplo.com.br",
          },
        },
      ],
    },
  });
  await api(closeBatch, { params: { id }, body: {} });

  await signIn(page, admin);
  await page.getByRole("link", { name: "Transferências", exact: true }).click();
  await page.getByRole("searchbox").fill("321,09");
  const row = page.getByRole("row").filter({ hasText: "Oficina das Rosas" });
  await expect(row).toContainText("Fornecedores da prova");
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date());
  const paid = async () => {
    const query = { initialDate: day, endDate: day, search: "321,09" };
    return (await api(listAllTransfers, { query })).data[0];
  };
  await expect.poll(async () => (await paid())?.receipt_url ?? null).not.toBeNull();
  const params = { id: (await paid())?.id ?? "" };
  const kept = async () =>
    (await api(readPaymentHistory, { params, query: { page: 0 } })).items.filter((entry) => entry.kept);
  await expect.poll(async () => (await kept()).length).toBe(4);
  await page.reload();
  await expect(row).toBeVisible();
  await expectNoBarriers(page, "transfers page");
  await row.getByRole("link", { name: "Oficina das Rosas" }).click();
  const details = page.getByRole("dialog", { name: "Detalhes da transferência" });
  await expect(details.getByRole("button", { name: "Baixar comprovante" })).toBeVisible();
  const history = details.getByRole("region", { name: "Histórico" });
  await history.scrollIntoViewIfNeeded();
  await expect(history.getByRole("listitem")).toHaveText([
    /^R\$\s321,09 chegaram ao recebedor.*Instituição financeira$/,
    /^Enviado ao banco.*Automático$/,
    /^O pagamento seguiu para envio.*Automático$/,
    /^O lote foi fechado.*Helena Prado$/,
    /^O pagamento foi criado/,
  ]);
  await expect(history.getByText(/só estas datas são conhecidas/)).toHaveCount(0);
  await expectNoBarriers(page, "details of a transfer");
  await details.getByRole("button", { name: "Voltar" }).click();

  await page.getByRole("button", { name: "Exportar" }).click();
  await expect(page.getByText(/^Download iniciado com sucesso/)).toBeVisible();
  await expect
    .poll(async () => JSON.stringify((await send(server.url, undefined, listMails)).done))
    .toContain("Seu relatório está pronto");

  await page.getByRole("link", { name: "Boletos", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Seus boletos" })).toBeVisible();
  await expectNoBarriers(page, "billets page");
  await page.getByRole("link", { name: /^Saldo/ }).click();
  await page.getByRole("button", { name: "Baixar extratos" }).click();
  await page.getByRole("menuitem", { name: "Extrato OFX" }).click();
  await expect(page.getByText("Seu relatório está sendo gerado e será enviado por e-mail.")).toBeVisible();
});
