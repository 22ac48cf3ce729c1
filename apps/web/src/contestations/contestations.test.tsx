import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import * as contracts from "@malote/contracts/contestations";
import { contestationPageSizes } from "@malote/domain/limits";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { payments, validation } from "../testing/token.ts";
import { contestations } from "./feature.ts";
import { forgetAcceptedTerms } from "./terms.ts";

const features = [contestations, placeholderScreens("BatchesPage")];
const listPath = "/contestacoes/infracoes";
const termsPath = `${listPath}/termos-de-uso`;
const hourMs = 3_600_000;
const idOf = (n: number) => `0198f000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

const infractionOf = (n: number, changes: Partial<contracts.Infraction> = {}): contracts.Infraction => ({
  id: idOf(n),
  transaction_id: `E88888801202611201530abcdef${String(n).padStart(5, "0")}`,
  txid: null,
  infraction_date: inHours(-1),
  analysis_due_date: inHours(71.5),
  analysis_status: "pending",
  contested_at: null,
  status: "pending",
  payer_name: `Pagador ${n}`,
  payer_tax_id: "***.982.247-**",
  amount: 150_00,
  payin_id: null,
  returnable_amount: 150_00,
  situation_type: "scam",
  infraction_description: "Não reconheço este Pix",
  analysis_description: null,
  analysis_date: null,
  files: [],
  user: null,
  refund: null,
  ...changes,
});

let items: contracts.Infraction[];
let accepted: boolean;
beforeEach(() => {
  items = [];
  accepted = true;
  forgetAcceptedTerms();
  fakeServer.byDefault(readCheckpoint, () => ({ exists: accepted }));
  fakeServer.byDefault(contracts.listInfractions, () => ({ items, meta: { next: null, previous: null } }));
  fakeServer.byDefault(
    contracts.readInfraction,
    ({ params }) => items.find(({ id }) => id === params["id"]) ?? refuse("not_found"),
  );
  fakeServer.byDefault(contracts.listInfractionRefunds, () => ({
    items: [],
    meta: { next: null, previous: null },
  }));
  fakeServer.byDefault(contracts.readInfractionTerms, () => ({ text: "Primeiro termo.\n\nSegundo termo." }));
});

const open = (address: string, session: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(address, { features, ...session });
async function openList(made: contracts.Infraction[], address = listPath) {
  items = made;
  const app = open(address);
  await screen.findByRole("table", { name: "Contestações" });
  return app;
}
const rowOf = (name: string) => {
  const row = screen.getByText(name).closest("tr");
  if (!row) throw new Error(`${name} is in no row`);
  return within(row);
};
const button = (name: string) => screen.getByRole("button", { name });

describe("the way in", () => {
  it("MED-001 the area leads to the list, and MED-003 the list to the terms until they are accepted", async () => {
    accepted = false;
    const app = open("/contestacoes");
    await screen.findByRole("heading", { name: "Termos de uso" });
    expect(app.address()).toBe(termsPath);
    await app.router.navigate({ href: `${listPath}/${idOf(1)}` });
    await waitFor(() => expect(app.address()).toBe(termsPath));
  });

  it("MED-003 the terms lead to the list once they are accepted", async () => {
    const app = open(termsPath);
    await screen.findByRole("heading", { name: "Contestações" });
    expect(app.address()).toBe(listPath);
  });

  it("FST-025 nobody is kept out while it cannot be known whether they accepted, and the next page asks again", async () => {
    fakeServer.on(readCheckpoint, () => refuse("unavailable"));
    const app = open(listPath);
    await screen.findByRole("heading", { name: "Contestações" });
    expect(app.address()).toBe(listPath);
    const asked = fakeServer.calls(readCheckpoint).length;
    await app.router.navigate({ href: termsPath });
    await screen.findByRole("heading", { name: "Termos de uso" });
    expect(app.address()).toBe(termsPath);
    expect(fakeServer.calls(readCheckpoint).length).toBeGreaterThan(asked);
  });

  it.each([listPath, termsPath, `${listPath}/${idOf(1)}`])(
    "MED-002 %s is refused without the permission",
    async (address) => {
      open(address, { session: { permissions: ["platform_access"] } });
      await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
      expect(fakeServer.calls(contracts.readPendingInfractions)).toEqual([]);
    },
  );

  it("MED-004 MED-005 accepting records a checkpoint, and says when it could not", async () => {
    accepted = false;
    const app = open(termsPath);
    await screen.findByText("Segundo termo.");
    const confirm = button("Confirmar");
    expect(confirm).toHaveProperty("disabled", true);
    await userEvent.click(screen.getByRole("checkbox"));
    fakeServer.on(createCheckpoint, () => refuseWithoutCode());
    await userEvent.click(confirm);
    await screen.findByText("Ocorreu um erro ao habilitar o painel de infrações");

    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    fakeServer.on(createCheckpoint, async () => {
      await held;
      return { ok: true as const };
    });
    await userEvent.click(button("Confirmar"));
    await screen.findByText("Liberando acesso...");
    letThrough();
    await screen.findByText("Painel de infrações está liberado e pronto para uso");
    await waitFor(() => expect(app.address()).toBe(listPath));
    expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({
      location: "HAS_ACCEPTED_INFRACTION_TERMS",
    });
  });
});

describe("the badge of the side menu", () => {
  it("SHL-031 counts the pending infractions beside 'Infrações e MED'", async () => {
    fakeServer.on(contracts.readPendingInfractions, () => ({ quantity: 3 }));
    open("/acesso-negado");
    const entry = await screen.findByRole("link", { name: /Infrações e MED\s*,\s*3 infrações pendentes/ });
    within(screen.getByRole("navigation", { name: "Contestações" })).getByText("3");
    expect(entry.getAttribute("href")).toBe(listPath);
  });

  it("MED-023 SHL-032 a failed count is shown and cleared", async () => {
    fakeServer.on(contracts.readPendingInfractions, () => ({ quantity: 3 }));
    const app = open("/acesso-negado");
    await screen.findByRole("link", { name: /3 infrações pendentes/ });
    fakeServer.on(contracts.readPendingInfractions, () => refuseWithoutCode());
    await app.queryClient.refetchQueries();
    await screen.findByText("Ops! Ocorreu um erro ao buscar as infrações pendentes.");
    expect(screen.getByRole("link", { name: "Infrações e MED" }).textContent).toBe("Infrações e MED");
  });

  it("SHL-032 is not asked for outside the payments application", async () => {
    open("/acesso-negado", {
      session: { application: validation, allowed_applications: [payments, validation] },
    });
    await screen.findByRole("link", { name: "Infrações e MED" });
    expect(fakeServer.calls(contracts.readPendingInfractions)).toEqual([]);
  });
});

describe("the list", () => {
  it("MED-013 MED-018 MED-007 MED-008 MED-009 MED-011 has its columns and names", async () => {
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

  it("MED-015 MED-016 MED-014 asks by what is in the address", async () => {
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

  it("MED-015 a day of the filter can be typed, and emptied", async () => {
    const app = await openList([infractionOf(1)]);
    const from = () => screen.getByRole("textbox", { name: "De" });
    await userEvent.type(from(), "0111");
    expect(from()).toHaveProperty("value", "01/11");
    expect(app.address()).toBe(listPath);
    await userEvent.type(from(), "2026");
    await waitFor(() => expect(app.address()).toBe(`${listPath}?infractionStartDate=2026-11-01`));
    expect(from()).toHaveProperty("value", "01/11/2026");
    await userEvent.clear(from());
    await waitFor(() => expect(app.address()).toBe(listPath));
    expect(from()).toHaveProperty("value", "");
  });

  it("MED-017 offers five page sizes, and goes on by the cursors", async () => {
    fakeServer.on(contracts.listInfractions, ({ query }) => ({
      items: [infractionOf(query["page_cursor"] ? 2 : 1)],
      meta: query["page_cursor"]
        ? { next: null, previous: "newer_1_x" }
        : { next: "older_1_x", previous: null },
    }));
    open(listPath);
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
    await userEvent.selectOptions(sizes, "50");
    await waitFor(() =>
      expect(fakeServer.calls(contracts.listInfractions).at(-1)?.query).toEqual({ page_size: "50" }),
    );
  });

  it("an old cursor that leads to nothing leads to the first page", async () => {
    fakeServer.on(contracts.listInfractions, ({ query }) => ({
      items: query["page_cursor"] ? [] : [infractionOf(1)],
      meta: { next: null, previous: null },
    }));
    const app = open(`${listPath}?pageCursor=older_1_x`);
    await screen.findByText("Pagador 1");
    expect(app.address()).toBe(listPath);
  });

  it("MED-019 reports a list that failed", async () => {
    fakeServer.on(contracts.listInfractions, () => refuse("internal"));
    open(listPath);
    await screen.findByText("Ocorreu um erro ao buscar infrações Pix");
    button("Tentar de novo");
  });

  it("MED-006 MED-010 MED-020 only what may be answered can be chosen", async () => {
    await openList([
      infractionOf(1),
      infractionOf(2, { contested_at: inHours(-1) }),
      infractionOf(3, { analysis_status: "rejected" }),
    ]);
    const boxOf = (n: number) =>
      screen.getByRole("checkbox", { name: `Selecionar a infração de Pagador ${n}` });
    expect([1, 2, 3].map((n) => (boxOf(n) as HTMLInputElement).disabled)).toEqual([false, true, true]);
    expect(rowOf("Pagador 2").getByRole("img", { name: "Infração já contestada via e-mail" }).title).toBe(
      "Infração já contestada via e-mail",
    );
    await userEvent.click(
      screen.getByRole("checkbox", { name: "Selecionar todas as pendentes desta página" }),
    );
    screen.getByText("1 infração selecionada");
    expect(fakeServer.calls(contracts.approveInfractions)).toEqual([]);
  });

  it("MED-021 approves what was chosen, in plain words, with one key for each question", async () => {
    await openList([infractionOf(1), infractionOf(2)]);
    await userEvent.click(
      screen.getByRole("checkbox", { name: "Selecionar todas as pendentes desta página" }),
    );
    await userEvent.click(button("Aprovar selecionadas"));
    const dialog = within(screen.getByRole("dialog", { name: "Aprovar 2 infrações?" }));
    expect(dialog.getByText("R$ 300,00").closest("p")?.textContent).toBe(
      "Aprovar é concordar que houve fraude: R$ 300,00 saem do saldo e voltam aos pagadores.",
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

  it("MED-021 says of what was given back already that no more of it leaves", async () => {
    await openList([
      infractionOf(1, { returnable_amount: 0 }),
      infractionOf(2, { returnable_amount: 100_00 }),
    ]);
    await userEvent.click(screen.getByRole("checkbox", { name: "Selecionar a infração de Pagador 1" }));
    await userEvent.click(button("Aprovar selecionadas"));
    const said = () => within(screen.getByRole("dialog")).getByText(/^Aprovar é concordar/).textContent;
    expect(said()).toBe(
      "Aprovar é concordar que houve fraude. R$ 150,00 já foram devolvidos ao pagador: nada mais sai do saldo.",
    );
    await userEvent.click(button("Cancelar"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(screen.getByRole("checkbox", { name: "Selecionar a infração de Pagador 2" }));
    await userEvent.click(button("Aprovar selecionadas"));
    expect(said()).toBe(
      "Aprovar é concordar que houve fraude: R$ 100,00 saem do saldo e voltam aos pagadores. Outros R$ 200,00 já foram devolvidos.",
    );
  });

  it("leads from a contestation to what was received, and says what went back", async () => {
    items = [infractionOf(1, { payin_id: idOf(7), returnable_amount: 73_00 })];
    renderApp(`/contestacoes/infracoes/${idOf(1)}`);
    const link = await screen.findByRole("link", { name: "Ver o recebimento" });
    expect(link.getAttribute("href")).toBe(`/recebimentos/recebiveis?recebimento=${idOf(7)}`);
    expect(screen.getByText("Já devolvido ao pagador").nextElementSibling?.textContent).toMatch(/77,00/);
  });

  it("an approval that is clicked twice is sent once, and its answer is the one that is shown", async () => {
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

  it("SES-053 analysts choose nothing", async () => {
    items = [infractionOf(1)];
    open(listPath, { session: { profile: "analyst" } });
    await screen.findByText("Pagador 1");
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});

describe("the export", () => {
  const exported = (status: contracts.InfractionExport["status"]): contracts.InfractionExport => ({
    id: idOf(9),
    status,
    file_url: status === "succeeded" ? "/x" : null,
    file_name: "Infrações.csv",
  });

  it("MED-024 MED-025 FST-024 asks with the filters of the list, looks every 2 seconds and saves the file", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let looks = 0;
    fakeServer.on(contracts.exportInfractions, () => exported("processing"));
    fakeServer.on(contracts.readInfractionExport, () => exported(++looks < 3 ? "processing" : "succeeded"));
    fakeServer.on(contracts.downloadInfractionExport, () => "Data;Prazo");
    const saved = watchSavedFiles();
    await openList(
      [infractionOf(1)],
      `${listPath}?infractionAnalysisStatus=pending&infractionStartDate=2026-11-01&infractionEndDate=2026-11-30&searchTerm=529.982.247-25`,
    );
    await user.click(button("Exportar"));
    await screen.findByRole("button", { name: "Exportando..." });
    await waitFor(() => expect(looks).toBe(1));
    await vi.advanceTimersByTimeAsync(1_900);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(2_100);
    await screen.findByRole("button", { name: "Exportar" });
    await waitFor(() => expect(fakeServer.calls(contracts.downloadInfractionExport)).toHaveLength(1));
    await waitFor(() => expect(saved).toEqual(["Infrações.csv"]));
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_DOWNLOADED_REPORT"]));
    expect(fakeServer.calls(contracts.exportInfractions)[0]?.body).toEqual({
      analysis_status: "pending",
      payer_tax_id: "52998224725",
      infraction_date__gte: "2026-11-01",
      infraction_date__lte: "2026-11-30",
    });
    vi.useRealTimers();
  });

  it("MED-025 says when it could not be asked for", async () => {
    await openList([infractionOf(1)]);
    fakeServer.on(contracts.exportInfractions, () => refuseWithoutCode());
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    expect(fakeServer.calls(contracts.readInfractionExport)).toEqual([]);
  });

  it("MED-025 says when it failed while it was made", async () => {
    await openList([infractionOf(1)]);
    fakeServer.on(contracts.exportInfractions, () => exported("processing"));
    fakeServer.on(contracts.readInfractionExport, () => exported("failed"));
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    await screen.findByRole("button", { name: "Exportar" });
    expect(fakeServer.calls(contracts.downloadInfractionExport)).toEqual([]);
  });

  it("FST-024 the link of the e-mail offers the file", async () => {
    fakeServer.on(contracts.readInfractionExport, () => exported("succeeded"));
    fakeServer.on(contracts.downloadInfractionExport, () => "Data;Prazo");
    await openList([infractionOf(1)], `${listPath}?exportacao=${idOf(9)}`);
    const saved = watchSavedFiles();
    await userEvent.click(await screen.findByRole("button", { name: "Baixar lista" }));
    await waitFor(() => expect(saved).toEqual(["Infrações.csv"]));
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
    );
  });
});

describe("the time to answer", () => {
  const findTermNotice = async () => {
    await screen.findByText("Responda em até 4 dias corridos");
    screen.getByText(
      "O prazo conta da notificação (regra em vigor desde 01/04/25). Notificações vencidas são devolvidas automaticamente ao pagador.",
    );
  };

  it("MED-012 is shown on the list, also on an empty one", async () => {
    open(listPath);
    await findTermNotice();
  });

  it("MED-012 is shown in the details of what waits for an answer", async () => {
    items = [infractionOf(1)];
    open(`${listPath}/${idOf(1)}`);
    await findTermNotice();
  });

  it("is shown no more once there is an answer", async () => {
    items = [infractionOf(1, { analysis_status: "rejected", user: { name: "Helena Prado" } })];
    open(`${listPath}/${idOf(1)}`);
    await screen.findByRole("heading", { name: "Resposta" });
    expect(screen.queryByText(/^Responda em até/)).toBeNull();
  });
});

describe("details", () => {
  const openOne = async (changes: Partial<contracts.Infraction> = {}, session = {}) => {
    items = [infractionOf(1, changes)];
    const app = open(`${listPath}/${idOf(1)}`, { session });
    await screen.findByRole("heading", { name: "O que foi contestado" });
    return app;
  };
  const file = (name: string, text: string, bytes?: number) => {
    const made = new File([Uint8Array.from(text, (sign) => sign.charCodeAt(0))], name);
    if (bytes) Object.defineProperty(made, "size", { value: bytes });
    return made;
  };
  const field = () => screen.getByRole("textbox", { name: "Descrição da análise" });
  const chooser = () => screen.getByLabelText("Arquivo da defesa") as HTMLInputElement;
  const send = () => button("Enviar resposta");

  it("MED-026 reports details that failed", async () => {
    fakeServer.on(contracts.readInfraction, () => refuse("internal"));
    open(`${listPath}/${idOf(1)}`);
    await screen.findByText("Não foi possível carregar os detalhes da infração.");
  });

  it("MED-029 MED-034 wants a decision, MED-028 counts the reasons, and declares before it sends", async () => {
    await openOne();
    screen.getByText("Não reconheço este Pix");
    expect(send()).toHaveProperty("disabled", true);
    await userEvent.click(screen.getByRole("radio", { name: "Reprovar" }));
    await userEvent.type(field(), "Entregue");
    screen.getByText("8/2000 caracteres");
    await userEvent.click(send());
    screen.getByText("A descrição da análise deve ter pelo menos 10 caracteres.");
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.type(field(), " ao cliente");
    fireEvent.change(chooser(), { target: { files: [file("nota.pdf", "%PDF-1.7")] } });
    await screen.findByText("nota.pdf");
    await userEvent.click(send());
    const dialog = within(screen.getByRole("dialog", { name: "Reprovar a infração de Pagador 1?" }));
    dialog.getByText(/Declaro que as informações enviadas são verdadeiras/);
    dialog.getByText(/Reprovar é defender a venda de .*: a descrição e o anexo vão à instituição/);

    fakeServer.on(contracts.answerInfraction, () => refuseWithoutCode());
    await userEvent.click(dialog.getByRole("button", { name: "Reprovar" }));
    await screen.findByText("Ocorreu um erro ao processar a análise da infração.");
    expect(field()).toHaveProperty("value", "Entregue ao cliente");

    const answered = infractionOf(1, {
      analysis_status: "rejected",
      analysis_description: "Entregue ao cliente",
      user: { name: "Helena Prado" },
    });
    fakeServer.on(contracts.answerInfraction, () => {
      items = [answered];
      return answered;
    });
    await userEvent.click(send());
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Reprovar" }));
    await screen.findByRole("heading", { name: "Resposta" });
    const form = fakeServer.calls(contracts.answerInfraction)[1]?.body as FormData;
    expect([...form.keys()]).toEqual(["analysis", "analysis_description", "attachments"]);
    expect([
      form.get("analysis"),
      form.get("analysis_description"),
      (form.get("attachments") as File).name,
    ]).toEqual(["rejected", "Entregue ao cliente", "nota.pdf"]);
    // MED-027: to read only from now on.
    expect(screen.queryByRole("radio")).toBeNull();
    screen.getByText(/Respondida por Helena Prado/);
  });

  it("a defence outlives a click away, and goes with the answer", async () => {
    const app = await openOne();
    await userEvent.click(screen.getByRole("radio", { name: "Reprovar" }));
    await userEvent.type(field(), "Entregue ao cliente");
    await userEvent.click(screen.getByRole("link", { name: "Contestações" }));
    await screen.findByRole("table", { name: "Contestações" });
    await app.router.navigate({ href: `${listPath}/${idOf(1)}` });
    await userEvent.click(await screen.findByRole("button", { name: "Recuperar" }));
    expect(field()).toHaveProperty("value", "Entregue ao cliente");
    expect(screen.getByRole("radio", { name: "Reprovar" })).toHaveProperty("checked", true);

    fakeServer.on(contracts.answerInfraction, () => infractionOf(1, { analysis_status: "rejected" }));
    await userEvent.click(send());
    const dialog = within(screen.getByRole("dialog"));
    dialog.getByText(/: a descrição vai à instituição/);
    const confirm = dialog.getByRole("button", { name: "Reprovar" });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await screen.findByText("Infração reprovada");
    expect(screen.queryByRole("dialog")).toBeNull();
    // The page has not read of it yet.
    expect(send()).toHaveProperty("disabled", true);
    expect(fakeServer.calls(contracts.answerInfraction)).toHaveLength(1);
    expect(sessionStorage.length).toBe(0);
  });

  it("says what happens when the term ends before an answer", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openOne({ analysis_due_date: inHours(1 / 60) });
    field();
    await act(() => vi.advanceTimersByTimeAsync(80_000));
    screen.getByText("O prazo para responder terminou");
    screen.getByText(/o valor volta automaticamente ao pagador/);
    expect(screen.queryByRole("textbox", { name: "Descrição da análise" })).toBeNull();
    vi.useRealTimers();
  });

  it("MED-030 MED-031 MED-032 MED-033 takes one file of the right kind and size, under a short name", async () => {
    await openOne();
    const give = (...files: File[]) => fireEvent.change(chooser(), { target: { files } });
    give(file("nota.pdf", "MZ programa"));
    await screen.findByText("Somente arquivos PDF, ZIP, RAR, PNG ou JPEG são permitidos");
    give(file("nota.pdf", "%PDF-1.7", 15_728_641));
    await screen.findByText("O arquivo deve ter no máximo 15 MB");
    give(file("comprovante-de-entrega-assinado-pelo-cliente.pdf", "%PDF-1.7", 15_728_640));
    const short = await screen.findByText(/^comprovante-de.*\.pdf$/);
    expect(short.textContent).toHaveLength(30);
    give(file("outra.png", "\x89PNG\r\n\x1a\n"));
    await screen.findByText("Não é possível adicionar mais de um arquivo");
    await userEvent.click(screen.getByRole("button", { name: /Remover o anexo/ }));
    give(file("outra.png", "\x89PNG\r\n\x1a\n"));
    await screen.findByText("outra.png");
  });

  it("MED-010 MED-038 one contested by e-mail cannot be answered, and a pending one has no history", async () => {
    await openOne({ contested_at: inHours(-1) });
    screen.getByText("Infração já contestada via e-mail");
    expect(screen.queryByRole("button", { name: "Enviar resposta" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "Histórico de devoluções" })).toBeNull();
    expect(fakeServer.calls(contracts.listInfractionRefunds)).toEqual([]);
  });

  it("MED-036 MED-037 MED-039 MED-040 MED-041 shows what goes back, and every try", async () => {
    const tries = ["succeeded", "processing", "failed"] as const;
    fakeServer.on(contracts.listInfractionRefunds, ({ query }) => ({
      items: tries.map((attempt_status, n) => ({
        id: idOf(n),
        attempt_status,
        attempt_date: inHours(-n),
        amount: 50_00,
        return_id: n === 2 ? null : `D999995932026112015300000000${n}${query["search"] ?? "000"}`,
      })),
      meta: { next: null, previous: null },
    }));
    await openOne({
      analysis_status: "accepted",
      status: "agreed",
      refund: {
        status: "pending",
        refunded_amount: 50_00,
        refund_date: inHours(-1),
        monitoring_end_date: inHours(48),
      },
    });
    screen.getByText("Devolução em monitoramento (90 dias)");
    screen.getByText("Em monitoramento");
    const table = within(await screen.findByRole("table", { name: "Histórico de devoluções" }));
    for (const word of ["Sucesso", "Em processamento", "Falhou"]) table.getByText(word);
    expect(fakeServer.calls(contracts.listInfractionRefunds)[0]?.query).toEqual({ page_size: "10" });
    await userEvent.type(screen.getByRole("searchbox", { name: "ID da devolução" }), "777");
    expect(fakeServer.calls(contracts.listInfractionRefunds)).toHaveLength(1);
    await table.findByText("D9999959320261120153000000000777");
    expect(fakeServer.calls(contracts.listInfractionRefunds).at(-1)?.query).toEqual({
      page_size: "10",
      search: "777",
    });
  });

  it.each([
    ["closed", 48, "Concluído", "Finalizado"],
    ["canceled", 48, "Cancelado", undefined],
    ["pending", -1, "Em processamento", undefined],
  ] as const)(
    "MED-039 MED-041 a refund that is %s reads so, without a monitoring that is over",
    async (status, ends, name, badge) => {
      await openOne({
        analysis_status: "delayed",
        refund: { status, refunded_amount: 0, refund_date: null, monitoring_end_date: inHours(ends) },
      });
      screen.getByText(name);
      expect(screen.queryByText("Devolução em monitoramento (90 dias)")).toBeNull();
      expect(screen.queryByText("Em monitoramento")).toBeNull();
      expect(screen.queryByText("Finalizado")?.textContent).toBe(badge);
    },
  );

  it("MED-037 the search waits until the typing has paused for 300 ms", async () => {
    fakeServer.on(contracts.listInfractionRefunds, () => ({
      items: [
        {
          id: idOf(1),
          attempt_status: "failed" as const,
          attempt_date: inHours(-1),
          amount: 1,
          return_id: null,
        },
      ],
      meta: { next: null, previous: null },
    }));
    await openOne({ analysis_status: "accepted" });
    const box = await screen.findByRole("searchbox", { name: "ID da devolução" });
    const asked = () => fakeServer.calls(contracts.listInfractionRefunds).length;
    const before = asked();
    vi.useFakeTimers();
    const type = (value: string) => fireEvent.change(box, { target: { value } });
    type("7");
    await act(() => vi.advanceTimersByTimeAsync(290));
    type("77");
    await act(() => vi.advanceTimersByTimeAsync(290));
    expect(asked()).toBe(before);
    await act(() => vi.advanceTimersByTimeAsync(20));
    expect(asked()).toBe(before + 1);
    expect(fakeServer.calls(contracts.listInfractionRefunds).at(-1)?.query).toEqual({
      page_size: "10",
      search: "77",
    });
  });

  it("MED-038 the history is under every answer, and says how far it reaches", async () => {
    for (const analysis_status of ["accepted", "rejected", "delayed", "canceled"] as const) {
      const app = await openOne({ analysis_status });
      await screen.findByRole("heading", { name: "Histórico de devoluções" });
      screen.getByText("As tentativas de devolver o valor, por até 3 meses.");
      app.unmount();
    }
  });

  it("MED-037 reports refunds that failed", async () => {
    fakeServer.on(contracts.listInfractionRefunds, () => refuse("internal"));
    await openOne({ analysis_status: "rejected" });
    await screen.findByText("Ocorreu um erro ao buscar os reembolsos");
  });
});
