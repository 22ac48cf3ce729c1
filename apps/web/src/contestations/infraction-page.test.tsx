import * as contracts from "@malote/contracts/contestations";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
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
import { formatDateTime } from "../ui/format.ts";

let items: contracts.Infraction[];
beforeEach(() => {
  items = [];
  serveContestations({ items: () => items, accepted: () => true });
});

describe("the deadline", () => {
  const findTermNotice = async () => {
    await screen.findByText("Responda em até 4 dias corridos");
    screen.getByText(
      "O prazo conta da notificação (regra em vigor desde 01/04/25). Notificações vencidas são devolvidas automaticamente ao pagador.",
    );
  };

  it("MED-012 is shown on the list, also when it is empty", async () => {
    openContestations(listPath);
    await findTermNotice();
  });

  it("MED-012 is shown in the details of an infraction that waits for an answer", async () => {
    items = [infractionOf(1)];
    openContestations(`${listPath}/${idOf(1)}`);
    await findTermNotice();
  });

  it("MED-012 is hidden once the deadline has passed", async () => {
    items = [infractionOf(1, { analysis_due_date: inHours(-0.1) })];
    openContestations(`${listPath}/${idOf(1)}`);
    await screen.findByText("O prazo para responder terminou");
    expect(screen.queryByText(/^Responda em até/)).toBeNull();
  });

  it("is hidden once there is an answer", async () => {
    items = [infractionOf(1, { analysis_status: "rejected", user: { name: "Helena Prado" } })];
    openContestations(`${listPath}/${idOf(1)}`);
    await screen.findByRole("heading", { name: "Resposta" });
    expect(screen.queryByText(/^Responda em até/)).toBeNull();
  });
});

describe("details", () => {
  const openOne = async (changes: Partial<contracts.Infraction> = {}, session = {}) => {
    items = [infractionOf(1, changes)];
    const app = openContestations(`${listPath}/${idOf(1)}`, { session });
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
  const declaration =
    "Declaro que as informações enviadas são verdadeiras e estou ciente de que esta resposta não pode ser alterada nem desfeita.";

  it.each(["internal", "not_found"] as const)("MED-026 reports details that failed with %s", async (code) => {
    fakeServer.on(contracts.readInfraction, () => refuse(code));
    openContestations(`${listPath}/${idOf(1)}`);
    await screen.findByText("Não foi possível carregar os detalhes da infração.");
  });

  it("MED-006 MED-007 MED-008 MED-009 show what was contested, line by line", async () => {
    await openOne({
      situation_type: "account_takeover",
      analysis_status: "rejected",
      status: "disagreed",
      txid: "PEDIDO77",
      infraction_date: "2026-11-20T19:42:00.000Z",
      analysis_due_date: "2026-11-24T19:42:00.000Z",
    });
    const facts = within(screen.getByRole("region", { name: "O que foi contestado" }));
    const lines = facts
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(lines).toEqual([
      ["Pagador", "Pagador 1"],
      ["Documento", "***.982.247-**"],
      ["Tipo", "Acesso não autorizado"],
      ["Data da infração", "20/11/2026 16:42"],
      ["Prazo da resposta", "24/11/2026 16:42"],
      ["Parecer", "Improcedente"],
      ["ID Pix", "E88888801202611201530abcdef00001"],
      ["ID integração", "PEDIDO77"],
    ]);
    screen.getByText("Rejeitada");
  });

  it.each([
    ["admin", true],
    ["operator", true],
    ["analyst", false],
  ] as const)("MED-012 MED-020 %s sees the deadline and may answer: %s", async (profile, may) => {
    await openOne({}, { profile });
    screen.getByText("Responda em até 4 dias corridos");
    // MED-011: the details count down too.
    screen.getByText(/^71h (29|30)min$/);
    expect(screen.queryByRole("button", { name: "Enviar resposta" }) !== null).toBe(may);
    expect(screen.queryByText("Aguardando resposta") !== null).toBe(!may);
  });

  it("MED-028 MED-029 MED-034 MED-035 require a decision and its reasons, and ask for a declaration before sending", async () => {
    await openOne();
    screen.getByText("Não reconheço este Pix");
    // MED-010: it was not contested by e-mail. MED-007: no approval of it waits.
    expect(screen.queryByText("Infração já contestada via e-mail")).toBeNull();
    expect(screen.queryByText("Aguarda aprovação")).toBeNull();
    expect(send()).toHaveProperty("disabled", true);
    await userEvent.click(screen.getByRole("radio", { name: "Reprovar" }));
    screen.getByText("0/2000 caracteres");
    await userEvent.click(send());
    screen.getByText("A descrição da análise deve ter pelo menos 10 caracteres.");
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.type(field(), "Entregue");
    screen.getByText("8/2000 caracteres");
    await userEvent.click(send());
    screen.getByText("A descrição da análise deve ter pelo menos 10 caracteres.");
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.change(field(), { target: { value: "a".repeat(2_001) } });
    screen.getByText("2001/2000 caracteres");
    screen.getByText("A descrição da análise deve ter no máximo 2000 caracteres.");
    await userEvent.click(send());
    expect(screen.queryByRole("dialog")).toBeNull();
    // Leading and trailing spaces do not count.
    fireEvent.change(field(), { target: { value: "  Entregue " } });
    screen.getByText("8/2000 caracteres");
    fireEvent.change(field(), { target: { value: "Entregue" } });
    await userEvent.type(field(), " ao cliente");
    fireEvent.change(chooser(), { target: { files: [file("nota.pdf", "%PDF-1.7")] } });
    await screen.findByText("nota.pdf");
    await userEvent.click(send());
    const dialog = within(screen.getByRole("dialog", { name: "Reprovar a infração de Pagador 1?" }));
    dialog.getByText(declaration);
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
    // MED-027: read-only from now on.
    expect(screen.queryByRole("radio")).toBeNull();
    screen.getByText(/Respondida por Helena Prado/);
  });

  it("MED-028 requires the reasons of an approval, too", async () => {
    await openOne();
    await userEvent.click(screen.getByRole("radio", { name: "Aprovar" }));
    await userEvent.click(send());
    screen.getByText("A descrição da análise deve ter pelo menos 10 caracteres.");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it.each([
    [false, "Infração aprovada"],
    [true, "Enviado para aprovação. Nada acontece antes que outra pessoa aprove."],
  ])(
    "MED-029 MED-034 MED-035 an approval is sent once, as accepted, and shows when it waits for another person (%s)",
    async (awaits_approval, said) => {
      await openOne();
      await userEvent.click(screen.getByRole("radio", { name: "Aprovar" }));
      await userEvent.type(field(), "Foi mesmo uma fraude.");
      await userEvent.click(send());
      const dialog = within(screen.getByRole("dialog", { name: "Aprovar a infração de Pagador 1?" }));
      dialog.getByText(/^Aprovar é concordar que houve fraude/);
      dialog.getByText(declaration);
      const { promise: held, resolve: letThrough } = Promise.withResolvers<void>();
      fakeServer.on(contracts.answerInfraction, async () => {
        await held;
        if (!awaits_approval) items = [infractionOf(1, { analysis_status: "accepted" })];
        return { ...items[0]!, ...(awaits_approval && { awaits_approval }) };
      });
      const confirm = dialog.getByRole("button", { name: "Aprovar" });
      expect(confirm.getAttribute("aria-disabled")).toBeNull();
      await userEvent.click(confirm);
      await waitFor(() => expect(confirm.getAttribute("aria-disabled")).toBe("true"));
      expect(screen.getByText("Enviar resposta").closest("button")?.disabled).toBe(true);
      await userEvent.click(confirm);
      letThrough();
      await screen.findByText(said);
      const [call, ...others] = fakeServer.calls(contracts.answerInfraction);
      expect([call?.params, others]).toEqual([{ id: idOf(1) }, []]);
      const form = call?.body as FormData;
      expect([...form.entries()]).toEqual([
        ["analysis", "accepted"],
        ["analysis_description", "Foi mesmo uma fraude."],
      ]);
      expect(screen.queryByText("Infração aprovada") !== null).toBe(!awaits_approval);
    },
  );

  describe("while an approval waits for another person", () => {
    const approval_request = {
      requested_by: "Rui Tavares",
      requested_at: "2026-11-20T19:42:00.000Z",
      infractions: 1,
    };

    it("MED-007 MED-020 MED-027 shows that, who requested it and what follows, and accepts only a defence", async () => {
      const analysis_due_date = inHours(71.5);
      await openOne({ approval_request: { ...approval_request, infractions: 3 }, analysis_due_date });
      screen.getByText("Aguarda aprovação");
      const notice = screen.getByText("A aprovação desta infração espera por outra pessoa").parentElement;
      expect(notice?.textContent).toContain(
        `Rui Tavares aprovou esta infração junto com 2 outras infrações em 20/11/2026 16:42. Nada acontece antes que outra pessoa aprove em Aprovações. Se ninguém aprovar até ${formatDateTime(analysis_due_date)}, o valor volta automaticamente ao pagador.`,
      );
      const approving = screen.getByRole("radio", { name: "Aprovar" });
      expect((approving as HTMLInputElement).disabled).toBe(true);
      expect(screen.getByText("Já foi enviada para aprovação.")).toBeTruthy();
      await userEvent.click(screen.getByRole("radio", { name: "Reprovar" }));
      expect((send() as HTMLButtonElement).disabled).toBe(false);
    });

    it("MED-027 counts the one other infraction of the request", async () => {
      await openOne({ approval_request: { ...approval_request, infractions: 2 } });
      screen.getByText(/^Rui Tavares aprovou esta infração junto com 1 outra infração em /);
    });

    it("hides answering from a person who may only read", async () => {
      await openOne({ approval_request }, { profile: "analyst" });
      screen.getByText(/^Rui Tavares aprovou esta infração em/);
      expect(screen.queryByText("Aguardando resposta")).toBeNull();
    });

    it("starts once an approval was sent, with an empty form that sends the other answer", async () => {
      await openOne();
      await userEvent.click(screen.getByRole("radio", { name: "Aprovar" }));
      await userEvent.type(field(), "Foi mesmo uma fraude.");
      await userEvent.click(send());
      fakeServer.on(contracts.answerInfraction, () => {
        items = [infractionOf(1, { approval_request })];
        return { ...items[0]!, awaits_approval: true };
      });
      await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Aprovar" }));
      await screen.findByText("A aprovação desta infração espera por outra pessoa");
      expect((field() as HTMLTextAreaElement).value).toBe("");
      await userEvent.click(screen.getByRole("radio", { name: "Reprovar" }));
      await userEvent.type(field(), "O produto foi entregue.");
      expect((send() as HTMLButtonElement).disabled).toBe(false);
    });

    it("MED-034 drops an approval that was chosen before another person sent one", async () => {
      const app = await openOne();
      await userEvent.click(screen.getByRole("radio", { name: "Aprovar" }));
      expect(send()).toHaveProperty("disabled", false);
      items = [infractionOf(1, { approval_request })];
      await act(() => app.queryClient.refetchQueries());
      await screen.findByText("Já foi enviada para aprovação.");
      expect(screen.getByRole("radio", { name: "Aprovar" })).toHaveProperty("checked", false);
      expect(send()).toHaveProperty("disabled", true);
    });

    it("shows after the deadline that the time is over", async () => {
      await openOne({ approval_request, analysis_due_date: inHours(-0.1) });
      screen.getByText("O prazo para responder terminou");
      expect(screen.queryByText(/espera por outra pessoa/)).toBeNull();
      expect(screen.queryByText("Aguarda aprovação")).toBeNull();
    });

    it("MED-007 shows no waiting approval once there is an answer", async () => {
      await openOne({ approval_request, analysis_status: "canceled" });
      screen.getByText("Cancelada");
      expect(screen.queryByText(/espera por outra pessoa/)).toBeNull();
      expect(screen.queryByText("Aguarda aprovação")).toBeNull();
    });
  });

  it.each([
    ["rejected", "pending", /a venda foi defendida, e a instituição decide\.$/],
    ["rejected", "agreed", /a instituição deu razão ao pagador: o valor volta a ele\.$/],
    ["rejected", "disagreed", /a instituição encerrou o caso: o valor fica com a empresa\.$/],
    ["accepted", "agreed", /^A infração foi aprovada: o valor volta ao pagador\.$/],
    ["accepted", "disagreed", /o que ainda não voltou ao pagador fica com a empresa\.$/],
    ["delayed", "pending", /^Ninguém respondeu no prazo: o valor volta automaticamente ao pagador\.$/],
    ["delayed", "canceled", /^Ninguém respondeu no prazo, mas a instituição encerrou a devolução/],
  ] as const)(
    "shows for an infraction that is %s the result of the opinion %s",
    async (analysis_status, status, said) => {
      await openOne({ analysis_status, status });
      const answer = screen.getByRole("region", { name: "Resposta" });
      within(answer).getByText(said);
    },
  );

  it("MED-035 keeps a defence when the person clicks away, and sends it with the answer", async () => {
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
    // The page has not received the answer yet.
    expect(send()).toHaveProperty("disabled", true);
    expect(fakeServer.calls(contracts.answerInfraction)).toHaveLength(1);
    expect(sessionStorage.length).toBe(0);
  });

  it("shows what happens when the deadline passes without an answer", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openOne({ analysis_due_date: inHours(1 / 60) });
    field();
    await act(() => vi.advanceTimersByTimeAsync(80_000));
    screen.getByText("O prazo para responder terminou");
    screen.getByText(/o valor volta automaticamente ao pagador/);
    expect(screen.queryByRole("textbox", { name: "Descrição da análise" })).toBeNull();
    vi.useRealTimers();
  });

  it("MED-030 MED-031 MED-032 MED-033 accept one file of the right kind and size, under a shortened name", async () => {
    await openOne();
    expect(chooser().accept).toBe(".pdf,.zip,.rar,.png,.jpg,.jpeg");
    const give = (...files: File[]) => fireEvent.change(chooser(), { target: { files } });
    give(file("nota.pdf", "MZ programa"));
    await screen.findByText("Somente arquivos PDF, ZIP, RAR, PNG ou JPEG são permitidos");
    give(file("nota.pdf", "%PDF-1.7", 15_728_641));
    await screen.findByText("O arquivo deve ter no máximo 15 MB");
    give(file("a.pdf", "%PDF-1.7"), file("b.pdf", "%PDF-1.7"));
    await screen.findByText("Não é possível adicionar mais de um arquivo");
    give(file("comprovante-de-entrega-assinado-pelo-cliente.pdf", "%PDF-1.7", 15_728_640));
    const short = await screen.findByText(/^comprovante-de.*\.pdf$/);
    expect(short.textContent).toHaveLength(30);
    give(file("outra.png", "\x89PNG\r\n\x1a\n"));
    await screen.findByText("Não é possível adicionar mais de um arquivo");
    await userEvent.click(screen.getByRole("button", { name: /Remover o anexo/ }));
    give(file("outra.png", "\x89PNG\r\n\x1a\n"));
    await screen.findByText("outra.png");
  });

  it("MED-010 an infraction contested by e-mail cannot be answered", async () => {
    await openOne({ contested_at: inHours(-1) });
    screen.getByText("Infração já contestada via e-mail");
    // MED-011: no deadline runs.
    screen.getByText("Sem prazo a correr");
    expect(screen.queryByText(/\dh \d\dmin$/)).toBeNull();
    // MED-012: the page asks for no answer when none is possible.
    expect(screen.queryByText(/^Responda em até/)).toBeNull();
    expect(screen.queryByRole("button", { name: "Enviar resposta" })).toBeNull();
  });
});
