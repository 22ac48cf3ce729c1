import { readCheckpoint } from "@malote/contracts/company";
import * as contracts from "@malote/contracts/contestations";
import { profiles } from "@malote/contracts/policy";
import { contestationPageSizes } from "@malote/domain/limits";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import {
  button,
  idOf,
  infractionOf,
  inHours,
  listPath,
  openContestations,
  serveContestations,
} from "../testing/contestations.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { payments, validation } from "../testing/token.ts";

const termsPath = `${listPath}/termos-de-uso`;
async function openList(made: contracts.Infraction[], address = listPath) {
  items = made;
  const app = openContestations(address);
  await screen.findByRole("table", { name: "Contestações" });
  return app;
}
const rowOf = (name: string) => {
  const row = screen.getByText(name).closest("tr");
  if (!row) throw new Error(`${name} is in no row`);
  return within(row);
};

let items: contracts.Infraction[];
let accepted: boolean;
beforeEach(() => {
  items = [];
  accepted = true;
  serveContestations({ items: () => items, accepted: () => accepted });
});

describe("way in", () => {
  it("MED-001 the area opens the list, and MED-003 the list redirects to the terms until they are accepted", async () => {
    accepted = false;
    const app = openContestations("/contestacoes");
    await screen.findByRole("heading", { name: "Termos de uso" });
    expect(app.address()).toBe(termsPath);
    await app.router.navigate({ href: `${listPath}/${idOf(1)}` });
    await waitFor(() => expect(app.address()).toBe(termsPath));
  });

  it("MED-001 the area's own address is that of the list once the terms are accepted", async () => {
    const app = openContestations("/contestacoes");
    await screen.findByRole("heading", { level: 1, name: "Contestações" });
    expect(app.address()).toBe(listPath);
  });

  it("MED-003 the terms redirect to the list once they are accepted", async () => {
    const app = openContestations(termsPath);
    await screen.findByRole("heading", { name: "Contestações" });
    expect(app.address()).toBe(listPath);
    // MED-005: the acceptance that counts is the person's own.
    const asked = fakeServer.calls(readCheckpoint).map(({ params, query }) => [params["id"], query]);
    expect(asked).toContainEqual(["HAS_ACCEPTED_INFRACTION_TERMS", {}]);
  });

  it("FST-025 lets every person in while it is unknown whether they accepted, and the next page asks again", async () => {
    fakeServer.on(readCheckpoint, () => refuse("unavailable"));
    const app = openContestations(listPath);
    await screen.findByRole("heading", { name: "Contestações" });
    expect(app.address()).toBe(listPath);
    const asked = fakeServer.calls(readCheckpoint).length;
    await app.router.navigate({ href: termsPath });
    await screen.findByRole("heading", { name: "Termos de uso" });
    expect(app.address()).toBe(termsPath);
    expect(fakeServer.calls(readCheckpoint).length).toBeGreaterThan(asked);
  });

  it.each([listPath, termsPath, `${listPath}/${idOf(1)}`])(
    "MED-002 refuses %s without the permission",
    async (address) => {
      // Accepted terms would redirect the page of the terms to the list.
      accepted = address !== termsPath;
      openContestations(address, { session: { permissions: ["platform_access"] } });
      await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
      expect(fakeServer.calls(contracts.readPendingInfractions)).toEqual([]);
    },
  );
});

describe("the badge of the side menu", () => {
  it.each(profiles)(
    "SHL-031 counts the pending infractions beside 'Infrações e MED' for an %s",
    async (profile) => {
      fakeServer.on(contracts.readPendingInfractions, () => ({ quantity: 3 }));
      openContestations("/acesso-negado", { session: { profile } });
      const entry = await screen.findByRole("link", { name: /Infrações e MED\s*,\s*3 infrações pendentes/ });
      within(screen.getByRole("navigation", { name: "Contestações" })).getByText("3");
      expect(entry.getAttribute("href")).toBe(listPath);
    },
  );

  it("MED-023 SHL-032 shows and clears a failed count", async () => {
    fakeServer.on(contracts.readPendingInfractions, () => ({ quantity: 3 }));
    const app = openContestations("/acesso-negado");
    await screen.findByRole("link", { name: /3 infrações pendentes/ });
    fakeServer.on(contracts.readPendingInfractions, () => refuseWithoutCode());
    await app.queryClient.refetchQueries();
    await screen.findByText("Ops! Ocorreu um erro ao buscar as infrações pendentes.");
    expect(screen.getByRole("link", { name: "Infrações e MED" }).textContent).toBe("Infrações e MED");
  });

  it("SHL-032 is not requested outside the payments application", async () => {
    fakeServer.on(contracts.readPendingInfractions, () => ({ quantity: 3 }));
    const session = { application: validation, allowed_applications: [payments, validation] };
    await settled(openContestations("/acesso-negado", { session }));
    screen.getByRole("link", { name: "Infrações e MED" });
    expect(screen.queryByText(/^Ops! Ocorreu um erro/)).toBeNull();
    expect(fakeServer.calls(contracts.readPendingInfractions)).toEqual([]);
  });
});

describe("the list", () => {
  it("MED-013 MED-018 MED-007 MED-008 MED-009 MED-011 shows its columns and names", async () => {
    await openList([
      infractionOf(1),
      infractionOf(2, {
        analysis_due_date: inHours(24),
        situation_type: "account_takeover",
        status: "novo_codigo",
      }),
      infractionOf(3, { analysis_status: "accepted", status: "agreed", situation_type: "coercion" }),
      infractionOf(4, {
        analysis_status: "rejected",
        status: "disagreed",
        situation_type: "fraudulent_access",
      }),
      infractionOf(5, { analysis_status: "delayed", status: "canceled", situation_type: "unknown" }),
      infractionOf(6, { analysis_status: "canceled", situation_type: "other" }),
    ]);
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Data",
      "Prazo",
      "Pagador",
      "Documento",
      "ID Pix",
      "Valor",
      "Tipo",
      "Parecer",
      "Status",
    ]);
    const first = rowOf("Pagador 1");
    first.getByText("***.982.247-**");
    first.getByText("E8888880...");
    first.getByText("R$ 150,00");
    const colorOf = (row: typeof first, text: string | RegExp) =>
      row.getByText(text).closest("[data-color]")?.getAttribute("data-color");
    expect(colorOf(first, /^71h (29|30)min$/)).toBe("yellow");
    expect(colorOf(rowOf("Pagador 2"), /^2[34]h \d\dmin$/)).toBe("red");
    expect(colorOf(rowOf("Pagador 3"), "-")).toBe("grey");
    const words = (n: number) =>
      [...screen.getAllByRole("row")[n]!.querySelectorAll("td")]
        .slice(6)
        .map((cell) => cell.textContent?.replace(/^(Tipo|Parecer|Status)/, ""));
    expect([1, 2, 3, 4, 5, 6].map(words)).toEqual([
      ["Golpe", "Em análise", "Pendente"],
      ["Acesso não autorizado", "novo_codigo", "Pendente"],
      ["Coação/Extorsão", "Procedente", "Aprovada"],
      ["Roubo de credenciais", "Improcedente", "Rejeitada"],
      ["Outros", "Cancelada", "Atrasada"],
      ["Outros", "Em análise", "Cancelada"],
    ]);
    screen.getByText(/Notificações vencidas são devolvidas/);
  });

  it("MED-010 MED-011 shows no countdown for an infraction contested by e-mail", async () => {
    await openList([
      infractionOf(1),
      infractionOf(2, { contested_at: inHours(-1), analysis_due_date: inHours(20) }),
    ]);
    expect(rowOf("Pagador 1").getByText(/^71h \d\dmin$/)).toBeTruthy();
    const contested = rowOf("Pagador 2");
    expect(contested.queryByText(/min$/)).toBeNull();
    const pill = contested.getByText("Sem prazo a correr").closest("[data-color]");
    expect([pill?.getAttribute("data-color"), pill?.textContent]).toEqual(["grey", "-Sem prazo a correr"]);
  });

  it("MED-013 MED-014 MED-015 MED-016 requests the filters of the address", async () => {
    const app = await openList([infractionOf(1)]);
    const asked = () => fakeServer.calls(contracts.listInfractions).at(-1)?.query;
    expect(asked()).toEqual({ page_size: "10" });
    await app.router.navigate({
      href: `${listPath}?pageSize=30&infractionStartDate=2026-11-01&infractionEndDate=2026-11-30&searchTerm=529.982.247-25&infractionAnalysisStatus=delayed&pageCursor=older_1_x`,
    });
    await waitFor(() =>
      expect(asked()).toEqual({
        page_size: "30",
        page_cursor: "older_1_x",
        analysis_status: "delayed",
        payer_tax_id: "52998224725",
        infraction_date__gte: "2026-11-01",
        infraction_date__lte: "2026-11-30",
      }),
    );
    await userEvent.click(button("Limpar filtros"));
    await userEvent.type(screen.getByRole("searchbox", { name: "Documento ou ID Pix" }), "E8888-8801{Enter}");
    await waitFor(() => expect(asked()).toEqual({ page_size: "30", transaction_id: "E88888801" }));
  });

  it("MED-013 MED-017 offers five page sizes, and pages forward and back by the cursors", async () => {
    fakeServer.on(contracts.listInfractions, ({ query }) => ({
      items: [infractionOf(query["page_cursor"] ? 2 : 1)],
      meta: query["page_cursor"]
        ? { next: null, previous: "newer_1_x" }
        : { next: "older_1_x", previous: null },
    }));
    openContestations(listPath);
    await screen.findByText("Pagador 1");
    const sizes = screen.getByRole("combobox", { name: "Por página" });
    expect(
      within(sizes)
        .getAllByRole("option")
        .map(({ textContent }) => Number(textContent)),
    ).toEqual([...contestationPageSizes]);
    expect(sizes).toHaveProperty("value", "10");
    expect(button("Anterior")).toHaveProperty("disabled", true);
    await userEvent.click(button("Próxima"));
    await screen.findByText("Pagador 2");
    expect(button("Próxima")).toHaveProperty("disabled", true);
    await userEvent.click(button("Anterior"));
    await waitFor(() =>
      expect(fakeServer.calls(contracts.listInfractions).at(-1)?.query).toEqual({
        page_size: "10",
        page_cursor: "newer_1_x",
      }),
    );
    await userEvent.selectOptions(sizes, "50");
    await waitFor(() =>
      expect(fakeServer.calls(contracts.listInfractions).at(-1)?.query).toEqual({ page_size: "50" }),
    );
  });

  it("an old cursor without results redirects to the first page", async () => {
    fakeServer.on(contracts.listInfractions, ({ query }) => ({
      items: query["page_cursor"] ? [] : [infractionOf(1)],
      meta: { next: null, previous: null },
    }));
    const app = openContestations(`${listPath}?pageCursor=older_1_x`);
    await screen.findByText("Pagador 1");
    expect(app.address()).toBe(listPath);
  });

  it("MED-019 reports a list that failed", async () => {
    fakeServer.on(contracts.listInfractions, () => refuse("internal"));
    openContestations(listPath);
    await screen.findByText("Ocorreu um erro ao buscar infrações Pix");
    button("Tentar de novo");
  });

  it("MED-006 MED-007 MED-010 MED-020 only infractions that may be answered can be selected", async () => {
    const approval_request = { requested_by: "Rui", requested_at: inHours(-1), infractions: 2 };
    await openList([
      infractionOf(1),
      infractionOf(2, { contested_at: inHours(-1) }),
      infractionOf(3, { analysis_status: "rejected" }),
      infractionOf(4, { approval_request }),
      infractionOf(5, { analysis_due_date: inHours(-0.1) }),
      // Approved in the same request as the fourth, and canceled afterwards.
      infractionOf(6, { analysis_status: "canceled", approval_request }),
    ]);
    const boxOf = (n: number) =>
      screen.getByRole("checkbox", { name: `Selecionar a infração de Pagador ${n}` });
    const isFixed = (n: number) => (boxOf(n) as HTMLInputElement).disabled;
    expect([1, 2, 3, 4, 5].filter(isFixed)).toEqual([2, 3, 4, 5]);
    // Decision 0030: an approval that waits is shown beside the status.
    expect(rowOf("Pagador 4").getByText("Pendente")).toBeTruthy();
    expect(rowOf("Pagador 4").getByText("Aguarda aprovação")).toBeTruthy();
    expect(screen.getAllByText("Aguarda aprovação")).toHaveLength(1);
    // One icon, in the row of the contested infraction.
    const mark = screen.getByRole("img", { name: "Infração já contestada via e-mail" });
    expect(mark.title).toBe("Infração já contestada via e-mail");
    expect(mark.closest("tr")?.textContent).toContain("Pagador 2");
    await userEvent.click(
      screen.getByRole("checkbox", { name: "Selecionar todas as pendentes desta página" }),
    );
    screen.getByText("1 infração selecionada");
    expect(fakeServer.calls(contracts.approveInfractions)).toEqual([]);
  });

  it("MED-021 approves the selection, in plain words, with one key for each confirmation", async () => {
    await openList([infractionOf(1), infractionOf(2)]);
    await userEvent.click(
      screen.getByRole("checkbox", { name: "Selecionar todas as pendentes desta página" }),
    );
    await userEvent.click(button("Aprovar selecionadas"));
    const dialog = within(screen.getByRole("dialog", { name: "Aprovar 2 infrações?" }));
    expect(dialog.getByText("R$ 300,00").closest("p")?.textContent).toBe(
      "Aprovar é concordar que houve fraude: R$\u00a0300,00 saem do saldo e voltam aos pagadores.",
    );
    fakeServer.on(contracts.approveInfractions, () => refuseWithoutCode());
    await userEvent.click(dialog.getByRole("button", { name: "Aprovar infrações" }));
    await screen.findByText("Ocorreu um erro ao aprovar infrações pix");
    fakeServer.on(contracts.approveInfractions, () => ({ approved: 2 }));
    await userEvent.click(dialog.getByRole("button", { name: "Aprovar infrações" }));
    await screen.findByText("Infrações aprovadas");
    const calls = fakeServer.calls(contracts.approveInfractions);
    expect(calls.map(({ body }) => body)).toEqual(
      Array(2).fill({ infraction_ids: [idOf(1), idOf(2)], analysis: "accepted" }),
    );
    expect(calls[0]?.headers.get("idempotency-key")).toBe(calls[1]?.headers.get("idempotency-key"));
  });

  it("MED-021 explains that an amount already returned leaves only once", async () => {
    await openList([
      infractionOf(1, { returnable_amount: 0 }),
      infractionOf(2, { returnable_amount: 100_00 }),
    ]);
    await userEvent.click(screen.getByRole("checkbox", { name: "Selecionar a infração de Pagador 1" }));
    await userEvent.click(button("Aprovar selecionadas"));
    const said = () => within(screen.getByRole("dialog")).getByText(/^Aprovar é concordar/).textContent;
    expect(said()).toBe(
      "Aprovar é concordar que houve fraude. R$\u00a0150,00 já foram devolvidos ao pagador: nada mais sai do saldo.",
    );
    await userEvent.click(button("Cancelar"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(screen.getByRole("checkbox", { name: "Selecionar a infração de Pagador 2" }));
    await userEvent.click(button("Aprovar selecionadas"));
    expect(said()).toBe(
      "Aprovar é concordar que houve fraude: R$\u00a0100,00 saem do saldo e voltam aos pagadores. Outros R$\u00a0200,00 já foram devolvidos.",
    );
  });

  it("links from a contestation to the payin, and shows what was returned", async () => {
    items = [infractionOf(1, { payin_id: idOf(7), returnable_amount: 73_00 })];
    renderApp(`/contestacoes/infracoes/${idOf(1)}`);
    const link = await screen.findByRole("link", { name: "Ver o recebimento" });
    expect(link.getAttribute("href")).toBe(`/recebimentos/recebiveis?recebimento=${idOf(7)}`);
    expect(screen.getByText("Já devolvido ao pagador").nextElementSibling?.textContent).toMatch(/77,00/);
  });

  it.each([
    [73_00, "Concorda que houve fraude: o valor volta ao pagador."],
    [0, "Concorda que houve fraude: o valor já foi devolvido, e nada mais sai do saldo."],
  ])(
    "explains beside the decision what an approval does when %i centavos can be returned",
    async (left, said) => {
      items = [infractionOf(1, { returnable_amount: left })];
      renderApp(`/contestacoes/infracoes/${idOf(1)}`);
      await screen.findByRole("radio", { name: "Aprovar", description: said });
    },
  );

  it("sends an approval once when it is clicked twice, and shows its answer", async () => {
    await openList([infractionOf(1)]);
    await userEvent.click(screen.getByRole("checkbox", { name: "Selecionar a infração de Pagador 1" }));
    await userEvent.click(button("Aprovar selecionadas"));
    fakeServer.on(contracts.approveInfractions, () => ({ approved: 1 }));
    const dialog = within(screen.getByRole("dialog"));
    dialog.getByText(/saem do saldo e voltam ao pagador\.$/);
    const confirm = dialog.getByRole("button", { name: "Aprovar infração" });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await screen.findByText("Infração aprovada");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(fakeServer.calls(contracts.approveInfractions)).toHaveLength(1);
  });

  it("MED-021 reports that nothing is approved yet while another person has to approve", async () => {
    await openList([infractionOf(1)]);
    await userEvent.click(screen.getByRole("checkbox", { name: "Selecionar a infração de Pagador 1" }));
    await userEvent.click(button("Aprovar selecionadas"));
    fakeServer.on(contracts.approveInfractions, () => ({ approved: 0, awaits_approval: true }));
    await userEvent.click(button("Aprovar infração"));
    await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
    expect(screen.queryByText("Infração aprovada")).toBeNull();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it.each([
    ["admin", 2],
    ["operator", 2],
    ["analyst", 0],
  ] as const)("MED-020 SES-053 %s: for one row and for all, shows %i checkboxes", async (profile, boxes) => {
    items = [infractionOf(1)];
    openContestations(listPath, { session: { profile } });
    await screen.findByText("Pagador 1");
    expect(screen.queryAllByRole("checkbox")).toHaveLength(boxes);
  });
});
