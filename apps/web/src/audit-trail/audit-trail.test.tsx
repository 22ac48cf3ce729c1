/** Issue 13: the audit trail as an admin reads it. */
import {
  type AuditEntry,
  downloadAuditTrail,
  exportAuditTrail,
  listAuditActors,
  listAuditTrail,
  readAuditTrailExport,
} from "@malote/contracts/audit-trail";
import { createCheckpoint, readCompany } from "@malote/contracts/company";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";

const path = "/minha-empresa/trilha-de-auditoria";
const rui = "0198f000-0000-7000-8000-0000000000a2";
const batch = "0198f000-0000-7000-8000-0000000000b1";
const exportId = "0198f000-0000-7000-8000-0000000000e1";

const entry: AuditEntry = {
  id: "0198f000-0000-7000-8000-0000000000c1",
  seq: 41,
  at: "2026-11-20T13:00:00Z",
  actor: { kind: "user", name: "Helena Prado" },
  action: "user.access_changed",
  object: "user",
  subject_id: rui,
  subject_name: null,
  changes: [{ label: "Perfil", from: "Operador", to: "Administrador" }],
  facts: [{ label: "Nome", value: "Rui Tavares" }],
  request_id: null,
};
const closed: AuditEntry = {
  ...entry,
  id: "0198f000-0000-7000-8000-0000000000c2",
  seq: 40,
  actor: { kind: "machine", name: "ERP" },
  action: "batch_closed",
  object: "batch",
  subject_id: batch,
  subject_name: "Contas da semana",
  changes: [],
  facts: [],
};
const page = (items: AuditEntry[], next: string | null = null) => ({ items, meta: { next, previous: null } });

beforeEach(() => {
  fakeServer.on(listAuditTrail, () => page([entry, closed]));
  fakeServer.on(listAuditActors, () => ({ data: [{ id: rui, kind: "user" as const, name: "Rui Tavares" }] }));
});

const asked = () => fakeServer.calls(listAuditTrail).at(-1)?.query;
function open(address = path) {
  const user = userEvent.setup();
  return { user, app: renderApp(address) };
}
const choose = async (user: ReturnType<typeof userEvent.setup>, chip: RegExp, choice: string) => {
  await user.click(await screen.findByRole("button", { name: chip }));
  await user.click(await screen.findByRole("menuitemradio", { name: choice }));
};

describe("Trilha de auditoria", () => {
  it.each(["operator", "analyst"] as const)("COM-002 is closed to %s", async (profile) => {
    renderApp(path, { session: { profile } });
    await screen.findByText("Você não tem permissão para acessar esta página");
    expect(fakeServer.calls(listAuditTrail)).toEqual([]);
  });

  it("is a tab of Minha empresa", async () => {
    fakeServer.on(readCompany, () => ({
      name: "Aurora",
      cpfCnpj: "27418639000148",
      address: null,
      phone: null,
      logo: null,
      status: "active" as const,
    }));
    const { user, app } = open("/minha-empresa/dados-da-empresa");
    await user.click(await screen.findByRole("link", { name: "Trilha de auditoria" }));
    await screen.findByRole("table", { name: "Trilha de auditoria" });
    expect(app.address()).toBe(path);
  });

  it("shows who changed what, with the values before and after", async () => {
    open();
    const [, first, second] = await within(
      await screen.findByRole("table", { name: "Trilha de auditoria" }),
    ).findAllByRole("row");
    expect(first?.textContent).toContain("Acesso do usuário alterado");
    expect(first?.textContent).toContain("Helena Prado");
    expect(first?.textContent).toMatch(/Perfil\s*Operador → passou a serAdministrador/);
    expect(first?.textContent).toContain("NomeRui Tavares");
    expect(first?.textContent).toContain("20/11/2026");
    expect(first?.textContent).toContain("nº 41");
    expect(second?.textContent).toContain("Lote fechado");
    expect(second?.textContent).toContain("ERPCredencial de API");
  });

  it("filters by days, person, object, action and id, and resets all filters", async () => {
    const { user, app } = open(`${path}?de=2026-08-01&ate=2026-08-31`);
    await screen.findByText("Lote fechado");
    expect(asked()).toEqual({ from: "2026-08-01", until: "2026-08-31" });
    await choose(user, /^Quem:/, "Rui Tavares");
    await choose(user, /^Objeto:/, "Lote");
    await choose(user, /^Ação:/, "Lote fechado");
    await waitFor(() =>
      expect(asked()).toEqual({
        from: "2026-08-01",
        until: "2026-08-31",
        actor_id: rui,
        object: "batch",
        action: "batch_closed",
      }),
    );
    // The list offers only actions of the chosen object.
    await user.click(screen.getByRole("button", { name: /^Ação:/ }));
    expect(screen.queryByRole("menuitemradio", { name: "Usuário criado" })).toBeNull();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).toBe(path));
    await user.click(await screen.findByRole("button", { name: "Ver tudo sobre Lote Contas da semana" }));
    await waitFor(() => expect(asked()).toMatchObject({ subject_id: batch }));
  });

  it("requests nothing for an incomplete id", async () => {
    const { user } = open();
    await screen.findByText("Lote fechado");
    const before = fakeServer.calls(listAuditTrail).length;
    await user.type(screen.getByRole("searchbox"), "0198f000");
    await screen.findByRole("heading", { name: "Cole o ID inteiro" });
    expect(fakeServer.calls(listAuditTrail)).toHaveLength(before);
    await user.type(screen.getByRole("searchbox"), "-0000-7000-8000-0000000000B1");
    await waitFor(() => expect(asked()).toMatchObject({ subject_id: batch }));
  });

  it("loads older entries", async () => {
    fakeServer.on(listAuditTrail, ({ query }) =>
      query?.page_cursor === "older" ? page([closed]) : page([entry], "older"),
    );
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "Próxima" }));
    await screen.findByText("Lote fechado");
  });

  it("keeps its filters on other pages, whose rows replace those before", async () => {
    fakeServer.on(listAuditTrail, ({ query }) =>
      query?.page_cursor === "older"
        ? { items: [closed], meta: { next: null, previous: "newer" } }
        : page([entry], "older"),
    );
    const filters = { from: "2026-08-01", until: "2026-08-31", object: "batch" };
    const { user } = open(`${path}?de=2026-08-01&ate=2026-08-31&objeto=batch`);
    await user.click(await screen.findByRole("button", { name: "Próxima" }));
    await screen.findByText("Lote fechado");
    expect(screen.queryByText("Acesso do usuário alterado")).toBeNull();
    expect(asked()).toEqual({ ...filters, page_cursor: "older" });
    await user.click(screen.getByRole("button", { name: "Anterior" }));
    await screen.findByText("Acesso do usuário alterado");
    expect(asked()).toEqual({ ...filters, page_cursor: "newer" });
  });

  it("an address of a page that is gone opens the first one, with its filters", async () => {
    fakeServer.on(listAuditTrail, ({ query }) => page(query?.page_cursor ? [] : [entry]));
    const { app } = open(`${path}?objeto=batch&cursor=gone`);
    await screen.findByText("Acesso do usuário alterado");
    expect(app.address()).toBe(`${path}?objeto=batch`);
  });

  it.each([
    [path, "Nenhuma entrada neste mês"],
    [`${path}?objeto=limit`, "Nenhuma entrada encontrada"],
  ])("reports that there is nothing at %s", async (address, title) => {
    fakeServer.on(listAuditTrail, () => page([]));
    open(address);
    await screen.findByRole("heading", { name: title });
  });

  it("reports that the list could not be read, and reads it again", async () => {
    fakeServer.on(listAuditTrail, () => refuse("internal"));
    const { user, app } = open();
    await screen.findByText("Não foi possível carregar a trilha de auditoria");
    fakeServer.on(listAuditTrail, () => page([entry]));
    await user.click(screen.getByRole("button", { name: /Tentar/ }));
    await screen.findByText("Acesso do usuário alterado");
    fakeServer.on(listAuditTrail, () => refuse("internal"));
    await act(() => app.queryClient.refetchQueries());
    await screen.findByText("Não foi possível carregar a trilha de auditoria");
    screen.getByText("Acesso do usuário alterado");
  });

  it("FST-024 saves a spreadsheet with the filters of the list", async () => {
    fakeServer.on(exportAuditTrail, () => ({ id: exportId }));
    fakeServer.on(readAuditTrailExport, () => ({ link: "/there", filename: "Trilha de auditoria.csv" }));
    fakeServer.on(downloadAuditTrail, () => "Nº");
    const saved = watchSavedFiles();
    const { user } = open(`${path}?de=2026-08-01&ate=2026-08-31&objeto=user`);
    await user.click(await screen.findByRole("button", { name: "Exportar" }));
    await waitFor(() => expect(saved).toEqual(["Trilha de auditoria.csv"]));
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
    );
    expect(fakeServer.calls(exportAuditTrail)[0]?.body).toEqual({
      from: "2026-08-01",
      until: "2026-08-31",
      object: "user",
    });
  });
});
