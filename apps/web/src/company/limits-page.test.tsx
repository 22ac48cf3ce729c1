/** Meus limites: the limits, the remaining amounts, and how an admin changes them. */
import {
  createCheckpoint,
  readCheckpoint,
  readCompany,
  readCompanySettings,
  readTransferLimits,
} from "@malote/contracts/company";
import { cancelLimitRaise, changeLimit, type LimitsView, readLimits } from "@malote/contracts/limits";
import { readValidationCompany } from "@malote/contracts/validation";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { checkpoints } from "../shell/checkpoints.ts";
import { data, features } from "../testing/company.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { validation } from "../testing/token.ts";

beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:logo");
  fakeServer.on(readCompany, () => data);
});

const plain = (text: string | null | undefined) => (text ?? "").replaceAll("\u00a0", " ");

describe("Meus limites", () => {
  beforeEach(() => {
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    fakeServer.on(readLimits, () => view());
  });
  const address = "/minha-empresa/limites";
  const cardsOf = { Pix: 4, TEV: 4, TED: 2, Boleto: 2 };
  /** R$ 30,00 of the day's Pix limit are left; the other limits are unused. */
  const view = (changes: Partial<LimitsView> = {}): LimitsView => ({
    data: (["TRANSACTION", "DAILY", "NIGHTLY", "WEEKEND"] as const).flatMap((period) =>
      (["PIX", "TEV", "TED", "BILLET"] as const).map((payment_method) => {
        const isSum = period !== "TRANSACTION";
        const isPixOfTheDay = period === "DAILY" && payment_method === "PIX";
        return {
          period,
          payment_method,
          limit: 100_00,
          maximum: 500_00,
          restores_to: null,
          used: isSum ? (isPixOfTheDay ? 70_00 : 0) : null,
          left: isSum ? (isPixOfTheDay ? 30_00 : 100_00) : null,
          day: isSum ? "2026-08-12" : null,
          renews_at: isSum ? "2026-08-13T09:00:00.000Z" : null,
        };
      }),
    ),
    raises: [],
    raise_hours: 24,
    ...changes,
  });
  const raise = {
    id: "01990000-0000-7000-8000-000000000001",
    period: "DAILY" as const,
    payment_method: "PIX" as const,
    value: 200_00,
    requested_at: "2026-08-12T13:00:00.000Z",
    requested_by: "Helena Prado",
    takes_effect_at: "2026-08-13T13:00:00.000Z",
  };
  const ofEach = (reais: number) => ({
    PIX: reais * 100,
    TEV: reais * 100 + 1,
    TED: reais * 100 + 2,
    BILLET: reais * 100 + 3,
  });
  const limits = {
    TRANSACTION: ofEach(1000),
    DAILY: ofEach(2000),
    NIGHTLY: ofEach(3000),
    WEEKEND: ofEach(4000),
  };
  const cards = (method: string) =>
    within(screen.getByRole("region", { name: method }))
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent?.replaceAll("\u00a0", " ")]);

  it("COM-035 COM-036 COM-037 COM-038 shows the limits of each method with their hours", async () => {
    fakeServer.on(readTransferLimits, () => limits);
    renderApp(address, { features });
    await screen.findByRole("region", { name: "Pix" });
    expect(cards("Pix")).toEqual([
      ["Por transação", "R$ 1.000,00Em qualquer dia e horário"],
      ["Diurno", "R$ 2.000,00Das 06h às 20h, de segunda a sexta, também em feriados"],
      ["Noturno", "R$ 3.000,00Das 20h às 06h, em qualquer dia"],
      ["Fim de semana", "R$ 4.000,00Das 06h às 20h, aos sábados e domingos"],
    ]);
    expect(cards("TEV").map(([, text]) => text?.slice(0, 11))).toEqual([
      "R$ 1.000,01",
      "R$ 2.000,01",
      "R$ 3.000,01",
      "R$ 4.000,01",
    ]);
    // The cards themselves are no form.
    expect(within(screen.getByRole("main")).queryAllByRole("textbox")).toEqual([]);
  });

  it("COM-035 SES-072 shows what is left of each limit, when it renews, and a pending raise, which an admin cancels", async () => {
    fakeServer.on(readTransferLimits, () => limits);
    fakeServer.on(readLimits, () => view({ raises: [raise] }));
    fakeServer.on(cancelLimitRaise, () => view());
    renderApp(address, { features });
    const pix = within(await screen.findByRole("region", { name: "Pix" }));
    const meter = await pix.findByRole("meter", { name: /^Usado: R\$\s70,00 de R\$\s100,00$/ });
    expect(plain(meter.parentElement?.textContent)).toContain("Restam R$ 30,00Renova em 13/08/2026 às 06h");
    expect(pix.getAllByRole("meter")).toHaveLength(3);
    const [waits, ...others] = screen.getAllByText(/a partir de/);
    expect(others).toEqual([]);
    expect(waits?.closest("div")?.textContent).toMatch(/^Diurno/);
    expect(plain(waits?.textContent)).toBe(
      "R$ 200,00 a partir de 13/08/2026 às 10h, a pedido de Helena Prado",
    );
    await userEvent.click(pix.getByRole("button", { name: "Cancelar aumento" }));
    await waitFor(() =>
      expect(fakeServer.calls(cancelLimitRaise).map(({ params }) => params)).toEqual([{ id: raise.id }]),
    );
    expect(await screen.findByText("O aumento foi cancelado.")).toBeTruthy();
  });

  it("COM-034 COM-039 changes a limit in a dialog that explains when it applies; shows a refusal and keeps what was typed", async () => {
    fakeServer.on(readTransferLimits, () => limits);
    renderApp(address, { features });
    for (const [name, count] of Object.entries(cardsOf)) {
      const region = within(await screen.findByRole("region", { name }));
      expect(await region.findAllByRole("button", { name: /^Alterar o limite/ })).toHaveLength(count);
    }
    const open = async () =>
      userEvent.click(screen.getByRole("button", { name: "Alterar o limite diurno de Pix" }));
    await open();
    const dialog = () => within(screen.getByRole("dialog", { name: "Limite diurno de Pix" }));
    const type = async (text: string) => {
      const field = dialog().getByLabelText("Novo limite");
      await userEvent.clear(field);
      if (text) await userEvent.type(field, text);
    };
    await screen.findByRole("dialog");
    // Escape, or a click outside, asks before it discards what was typed.
    await type("50");
    await userEvent.keyboard("{Escape}");
    await userEvent.click(await screen.findByRole("button", { name: "Continuar preenchendo" }));
    dialog().getByText(/Um limite menor vale na hora. Um maior vale 24 horas depois/);
    for (const [text, problem] of [
      ["", "Digite um valor"],
      ["100", "Este já é o limite. Digite outro valor."],
      ["500,01", /O limite pode ir até R\$\s500,00\./],
    ] as const) {
      await type(text);
      await userEvent.click(dialog().getByRole("button", { name: /Salvar limite|Pedir aumento/ }));
      await dialog().findByText(problem);
    }
    expect(fakeServer.calls(changeLimit)).toEqual([]);

    fakeServer.on(changeLimit, () => refuse("limit_above_maximum", { max: "R$ 150,00" }));
    await type("200");
    await userEvent.click(dialog().getByRole("button", { name: "Pedir aumento" }));
    await screen.findByText("O limite pode ir até R$ 150,00. Digite um valor menor ou fale com o suporte.");

    fakeServer.on(changeLimit, () => view({ raises: [raise] }));
    await userEvent.click(dialog().getByRole("button", { name: "Pedir aumento" }));
    await screen.findByText("Pedido feito: o novo limite vale em 24 horas.");
    expect(fakeServer.calls(changeLimit).at(-1)?.body).toEqual({
      period: "DAILY",
      payment_method: "PIX",
      value: 200_00,
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    await open();
    await screen.findByRole("dialog");
    await type("50");
    fakeServer.on(changeLimit, () => view());
    await userEvent.click(dialog().getByRole("button", { name: "Salvar limite" }));
    await screen.findByText("O novo limite já vale.");
  });

  it.each([
    ["Escape", () => userEvent.keyboard("{Escape}")],
    ["'Cancelar'", () => userEvent.click(screen.getByRole("button", { name: "Cancelar" }))],
    ["the cross", () => userEvent.click(screen.getByRole("button", { name: "Fechar" }))],
  ])("%s leaves a limit as it is, and asks before it discards a value", async (_, leave) => {
    fakeServer.on(readTransferLimits, () => limits);
    renderApp(address, { features });
    const open = async () => {
      await userEvent.click(await screen.findByRole("button", { name: "Alterar o limite diurno de Pix" }));
      return within(await screen.findByRole("dialog", { name: "Limite diurno de Pix" }));
    };
    const isLeft = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await open();
    await leave();
    await isLeft();
    const field = (await open()).getByLabelText<HTMLInputElement>("Novo limite");
    await userEvent.clear(field);
    await userEvent.type(field, "50");
    await leave();
    await userEvent.click(await screen.findByRole("button", { name: "Continuar preenchendo" }));
    expect(plain(field.value)).toContain("50");
    await leave();
    await userEvent.click(await screen.findByRole("button", { name: "Descartar" }));
    await isLeft();
    expect(fakeServer.calls(changeLimit)).toEqual([]);
  });

  it("SES-078 a change of a limit drops the cached settings, which contain it as well", async () => {
    fakeServer.on(readTransferLimits, () => limits);
    fakeServer.on(changeLimit, () => view());
    renderApp(address, { features });
    await userEvent.click(
      await screen.findByRole("button", { name: "Alterar o limite por transação de TEV" }),
    );
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.clear(dialog.getByLabelText("Novo limite"));
    await userEvent.type(dialog.getByLabelText("Novo limite"), "50");
    expect(fakeServer.calls(readCompanySettings)).toHaveLength(1);
    await userEvent.click(dialog.getByRole("button", { name: "Salvar limite" }));
    await screen.findByText("O novo limite já vale.");
    await waitFor(() => expect(fakeServer.calls(readCompanySettings)).toHaveLength(2));
  });

  it.each([
    ["por transação de TEV", "TRANSACTION", "TEV"],
    ["noturno de Pix", "NIGHTLY", "PIX"],
    ["de fim de semana de TEV", "WEEKEND", "TEV"],
    ["diurno de Boleto", "DAILY", "BILLET"],
  ] as const)("COM-034 the limit %s is changed by its own card", async (name, period, payment_method) => {
    fakeServer.on(readTransferLimits, () => limits);
    fakeServer.on(changeLimit, () => view());
    renderApp(address, { features });
    await userEvent.click(await screen.findByRole("button", { name: `Alterar o limite ${name}` }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.clear(dialog.getByLabelText("Novo limite"));
    await userEvent.type(dialog.getByLabelText("Novo limite"), "50");
    await userEvent.click(dialog.getByRole("button", { name: "Salvar limite" }));
    await screen.findByText("O novo limite já vale.");
    expect(fakeServer.calls(changeLimit).map(({ body }) => body)).toEqual([
      { period, payment_method, value: 50_00 },
    ]);
  });

  it("shows up to which value a limit that the reader just lowered returns at once, and requests no raise then", async () => {
    const lowered = view();
    fakeServer.on(readTransferLimits, () => limits);
    fakeServer.on(readLimits, () => ({
      ...lowered,
      data: lowered.data.map((one) => ({ ...one, restores_to: 300_00 })),
    }));
    fakeServer.on(changeLimit, () => view());
    renderApp(address, { features });
    await userEvent.click(await screen.findByRole("button", { name: "Alterar o limite diurno de Pix" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Limite diurno de Pix" }));
    expect(plain(dialog.getByText(/Um limite menor vale na hora/).textContent)).toContain(
      "Você reduziu este limite há menos de 24 horas: até R$ 300,00, ele volta na hora.",
    );
    const type = async (text: string) => {
      await userEvent.clear(dialog.getByLabelText("Novo limite"));
      await userEvent.type(dialog.getByLabelText("Novo limite"), text);
    };
    await type("300,01");
    dialog.getByRole("button", { name: "Pedir aumento" });
    await type("300");
    await userEvent.click(dialog.getByRole("button", { name: "Salvar limite" }));
    await screen.findByText("O novo limite já vale.");
  });

  it("COM-034 FST-024 groups the cards by method and points at them once", async () => {
    fakeServer.on(readTransferLimits, () => limits);
    fakeServer.on(readCheckpoint, ({ params }) => ({ exists: params["id"] !== "HAS_SEEN_LIMITS_TOUR" }));
    fakeServer.on(createCheckpoint, () => ({ ok: true }) as const);
    const app = renderApp(address, { features });
    const hint = within(await screen.findByRole("group", { name: "Dica" }));
    hint.getByText("Aqui estão seus limites");
    expect(screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent)).toEqual([
      "Pix",
      "TEV",
      "TED",
      "Boleto",
    ]);
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint)[0]?.body).toEqual({ location: "HAS_SEEN_LIMITS_TOUR" }),
    );
    await userEvent.click(hint.getByRole("button", { name: "Entendi" }));
    await waitFor(() => expect(screen.queryByRole("group", { name: "Dica" })).toBeNull());
    // The focus is where the hint pointed.
    expect(document.activeElement).toBe(document.querySelector("[data-tour=limits]"));

    app.unmount();
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    const readsBefore = fakeServer.calls(readCheckpoint).length;
    await settled(renderApp(address, { features }), checkpoints.exists("HAS_SEEN_LIMITS_TOUR").queryKey);
    await screen.findByRole("region", { name: "Pix" });
    expect(fakeServer.calls(readCheckpoint).length, "the second page knows that it was seen").toBeGreaterThan(
      readsBefore,
    );
    expect(screen.queryByRole("group", { name: "Dica" })).toBeNull();
    // The cards cannot be edited.
    expect(within(screen.getByRole("main")).queryAllByRole("textbox")).toEqual([]);
  });

  it("COM-035 COM-039 TED and boleto have limits per transaction and of the daytime only", async () => {
    fakeServer.on(readTransferLimits, () => limits);
    renderApp(address, { features });
    await screen.findByRole("region", { name: "TED" });
    const when = "Das 06h às 20h, de segunda a sexta, também em feriados";
    expect(cards("TED")).toEqual([
      ["Por transação", "R$ 1.000,02Em qualquer dia e horário"],
      ["Diurno", `R$ 2.000,02${when}`],
    ]);
    expect(cards("Boleto")).toEqual([
      ["Por transação", "R$ 1.000,03Em qualquer dia e horário"],
      ["Diurno", `R$ 2.000,03${when}`],
    ]);
  });

  it("COM-003 COM-035 shows the limits to an admin of ContaCerta alone too", async () => {
    fakeServer.on(readValidationCompany, () => data);
    fakeServer.on(readTransferLimits, () => limits);
    const session = { application: validation, allowed_applications: [validation] };
    const app = renderApp(address, { features, session });
    await screen.findByRole("region", { name: "Pix" });
    expect(app.address()).toBe(address);
    expect(cards("Pix").map(([label]) => label)).toEqual([
      "Por transação",
      "Diurno",
      "Noturno",
      "Fim de semana",
    ]);
  });

  it("COM-040 reports when they cannot be loaded, and retries", async () => {
    fakeServer.on(readTransferLimits, () => refuse("internal"));
    renderApp(address, { features });
    await screen.findByText("Ocorreu um erro ao buscar os limites.");
    fakeServer.on(readTransferLimits, () => limits);
    await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByRole("region", { name: "Pix" });
  });
});
