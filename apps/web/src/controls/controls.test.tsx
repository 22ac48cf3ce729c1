import { readCompanySettings } from "@malote/contracts/company";
import {
  type ApprovalRequest,
  approveRequest,
  type ControlPolicyOnWire,
  type Controls,
  countApprovalRequests,
  listApprovalRequests,
  readControls,
  rejectRequest,
  saveControls,
} from "@malote/contracts/controls";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";

const controlsPath = "/minha-empresa/controles";
const developerPath = "/area-do-desenvolvedor";
const approvalsPath = "/pagamentos/lotes/aprovacoes";
const helena = "0198f000-0000-7000-8000-000000000001";
const rui = "0198f000-0000-7000-8000-0000000000a2";

const policy: ControlPolicyOnWire = {
  requires_other_approver: false,
  bands: [{ from: 0, approvers: 0 }],
  operator_approvers: [],
  step_up_from: null,
  operators_may_withdraw: true,
  operators_may_correct: true,
  operators_may_give_back: true,
  quarantine_hours: 24,
};
const controls: Controls = {
  version: 0,
  policy,
  later: null,
  people: [
    { id: helena, name: "Helena Prado", profile: "admin", has_factor: true },
    { id: rui, name: "Rui Tavares", profile: "operator", has_factor: false },
  ],
  history: [],
};
const request: ApprovalRequest = {
  id: "0198f000-0000-7000-8000-0000000000b1",
  kind: "WITHDRAWAL",
  title: "Resgate",
  status: "pending",
  amount: 2_500_00,
  facts: [{ label: "Valor", value: "R$ 2.500,00" }],
  digest: "as it was asked for",
  requested_by: "Rui Tavares",
  requested_by_email: "rui@aurora.example",
  is_own: false,
  created_at: "2026-11-20T13:00:00Z",
  expires_at: "2026-11-27T13:00:00Z",
  decided_at: null,
  decided_by: null,
  reason: null,
  approvals: [],
  missing: 1,
  may_approve: true,
  why_not: null,
  asks_for_code: false,
};

beforeEach(() => {
  fakeServer.on(readControls, () => controls);
  fakeServer.on(listApprovalRequests, () => ({ data: [], open_count: 0 }));
});

const button = (name: string) => screen.findByRole("button", { name });
const open = () => {
  const user = userEvent.setup();
  const app = renderApp(controlsPath);
  return { user, app };
};

describe("Controles", () => {
  it.each(["operator", "analyst"] as const)("COM-002 is closed to %s", async (profile) => {
    renderApp(controlsPath, { session: { profile } });
    await screen.findByText("Você não tem permissão para acessar esta página");
  });

  it("ruling D21: one switch requires another person, and the answer names the date from which it applies", async () => {
    fakeServer.on(saveControls, () => {
      // The form resets to what was saved, and the answer is still shown.
      fakeServer.on(readControls, () => ({ ...controls, version: controls.version + 1 }));
      return { outcome: "in_force" as const, in_force_at: null };
    });
    const { user } = open();
    await user.click(await screen.findByRole("switch", { name: "Exigir aprovação por outra pessoa" }));
    await user.click(await button("Salvar controles"));
    await screen.findByText("Controles salvos.");
    expect(fakeServer.calls(saveControls)[0]?.body).toEqual({
      version: 0,
      policy: { ...policy, requires_other_approver: true },
    });
  });

  it("SES-078 saving drops the cached settings, which contain what the controls allow", async () => {
    fakeServer.on(saveControls, () => ({ outcome: "in_force" as const, in_force_at: null }));
    const { user } = open();
    const save = await button("Salvar controles");
    expect(fakeServer.calls(readCompanySettings)).toHaveLength(1);
    await user.click(save);
    await screen.findByText("Controles salvos.");
    await waitFor(() => expect(fakeServer.calls(readCompanySettings)).toHaveLength(2));
  });

  it.each([
    ["later", "2026-11-21T13:00:00Z", /Como afrouxa os controles, vale a partir de/],
    ["waits_for_approval", null, "Mudança enviada para a aprovação de outro administrador."],
  ] as const)("shows that a change is not in force yet: %s", async (outcome, in_force_at, text) => {
    fakeServer.on(saveControls, () => ({ outcome, in_force_at }));
    const { user } = open();
    await user.click(await button("Salvar controles"));
    await screen.findByText(text);
  });

  it("adds a band, names an operator and requires the code, and sends no half-typed value", async () => {
    fakeServer.on(saveControls, () => ({ outcome: "in_force" as const, in_force_at: null }));
    const { user } = open();
    await user.click(await button("Adicionar faixa"));
    await user.click(await button("Salvar controles"));
    await screen.findByText("Digite um valor");
    expect(fakeServer.calls(saveControls)).toHaveLength(0);
    await user.type(screen.getByLabelText("A partir de, faixa 2"), "5000");
    await user.click(screen.getByRole("switch", { name: "Rui Tavares" }));
    expect(screen.queryByText(/sem autenticador/)).toBeNull();
    await user.click(screen.getByRole("switch", { name: "Pedir o código a partir de um valor" }));
    // Helena has a second factor.
    screen.getByText("Operador, sem autenticador: não aprova o que pede código");
    screen.getByText("Administrador");
    await user.type(screen.getByLabelText("Pedir o código a partir de"), "10000");
    await user.click(await button("Salvar controles"));
    await screen.findByText("Controles salvos.");
    expect(fakeServer.calls(saveControls)[0]?.body).toEqual({
      version: 0,
      policy: {
        ...policy,
        bands: [
          { from: 0, approvers: 0 },
          { from: 5_000_00, approvers: 1 },
        ],
        operator_approvers: [rui],
        step_up_from: 10_000_00,
      },
    });
  });

  it("shows why a change is refused, and keeps what was typed", async () => {
    fakeServer.on(saveControls, () => refuse("approvers_too_few", { count: 2 }));
    const { user } = open();
    const toggle = await screen.findByRole("switch", { name: "Exigir aprovação por outra pessoa" });
    await user.click(toggle);
    await user.click(await button("Salvar controles"));
    await screen.findByText(/são necessárias 2 além de quem pede/);
    expect(toggle.getAttribute("aria-checked")).toBe("true");
  });

  it("keeps what was typed while the person visits another page, and moves the focus to the invalid field", async () => {
    const { user, app } = open();
    await user.click(await button("Adicionar faixa"));
    await user.type(screen.getByLabelText("A partir de, faixa 2"), "12345678901234567");
    await user.click(await button("Salvar controles"));
    await screen.findByText("Não foi possível ler este valor. Escreva como 1.234,56");
    expect(document.activeElement).toBe(screen.getByLabelText("A partir de, faixa 2"));
    expect(fakeServer.calls(saveControls)).toHaveLength(0);
    await user.clear(screen.getByLabelText("A partir de, faixa 2"));
    await user.type(screen.getByLabelText("A partir de, faixa 2"), "5000");
    await act(() => app.router.navigate({ href: approvalsPath }));
    await screen.findByText("Nenhum pedido aguarda aprovação.");
    await act(() => app.router.navigate({ href: controlsPath }));
    await user.click(await button("Recuperar"));
    expect(screen.getByLabelText<HTMLInputElement>("A partir de, faixa 2").value).toMatch(/5\.000,00$/);
    fakeServer.on(saveControls, () => ({ outcome: "in_force" as const, in_force_at: null }));
    await user.click(await button("Salvar controles"));
    await screen.findByText("Controles salvos.");
    await act(() => app.router.navigate({ href: approvalsPath }));
    await act(() => app.router.navigate({ href: controlsPath }));
    await button("Salvar controles");
    expect(screen.queryByRole("button", { name: "Recuperar" })).toBeNull();
  });

  it("explains who is missing when only the person who saves could approve", async () => {
    fakeServer.on(saveControls, () =>
      refuse("controls_without_others", { waiting: " Nova Pessoa ainda não escolheu a senha." }),
    );
    const { user } = open();
    await user.click(await screen.findByRole("switch", { name: "Exigir aprovação por outra pessoa" }));
    await user.click(await button("Salvar controles"));
    await screen.findByText(
      "Com estes controles, só você poderia aprovar, e ninguém aprova o que preparou. Nova Pessoa ainda não escolheu a senha. Inclua outro administrador de pagamentos ou escolha um operador que aprova.",
    );
  });

  it("shows the rules that will be in force, and the history of changes", async () => {
    const made = { version: 1, policy, made_at: "2026-11-20T13:00:00Z", in_force_at: "2026-11-21T13:00:00Z" };
    fakeServer.on(readControls, () => ({
      ...controls,
      version: 1,
      later: { policy, in_force_at: made.in_force_at, changes: [] },
      history: [{ ...made, made_by: "Helena Prado", approved_by: "Segunda Admin", changes: [] }],
    }));
    open();
    await screen.findByText("Uma mudança ainda vai valer.");
    await screen.findByText("Helena Prado, com a aprovação de Segunda Admin");
  });

  it("shows the pending values, names what changes, and undoes the change only on request", async () => {
    const coming = { ...policy, requires_other_approver: false };
    const changes = [{ label: "Exigir aprovação por outra pessoa", value: "Sim → Não" }];
    const at = { made_at: "2026-11-20T13:00:00Z", in_force_at: "2026-11-21T13:00:00Z" };
    const inForce = { ...policy, requires_other_approver: true };
    fakeServer.on(readControls, () => ({
      ...controls,
      version: 2,
      policy: inForce,
      later: { policy: coming, in_force_at: at.in_force_at, changes },
      history: [{ ...at, version: 2, policy: coming, made_by: "Helena Prado", approved_by: null, changes }],
    }));
    fakeServer.on(saveControls, () => ({ outcome: "in_force" as const, in_force_at: null }));
    const { user } = open();
    const of = await screen.findByRole("switch", { name: "Exigir aprovação por outra pessoa" });
    expect(of.getAttribute("aria-checked") ?? String((of as HTMLInputElement).checked)).toBe("false");
    expect(screen.getAllByText("Exigir aprovação por outra pessoa: Sim → Não")).toHaveLength(2);
    await user.click(await button("Desfazer a mudança"));
    await screen.findByText("Mudança desfeita. Valem os controles de antes.");
    expect(fakeServer.calls(saveControls)[0]?.body).toEqual({ version: 2, policy: inForce });
  });
});

describe("Aprovações", () => {
  it("approves what was shown, once, and reports it", async () => {
    fakeServer.on(listApprovalRequests, () => ({ data: [request], open_count: 1 }));
    fakeServer.on(approveRequest, () => ({ status: "approved" as const, missing: 0 }));
    const user = userEvent.setup();
    renderApp(approvalsPath);
    // People choose their names themselves, so a name may look like markup.
    await screen.findByText(/^Rui Tavares \(rui@aurora\.example\) pediu em/);
    await user.click(await button("Aprovar"));
    const question = within(await screen.findByRole("dialog", { name: "Aprovar: Resgate?" }));
    question.getByText("R$ 2.500,00");
    await user.click(question.getByRole("button", { name: "Aprovar" }));
    await screen.findByText("Aprovado e executado.");
    expect(fakeServer.calls(approveRequest).map(({ body }) => body)).toEqual([{ digest: request.digest }]);
  });

  it("SES-078 an approval drops the cached settings, which it may change", async () => {
    fakeServer.on(listApprovalRequests, () => ({ data: [request], open_count: 1 }));
    fakeServer.on(approveRequest, () => ({ status: "approved" as const, missing: 0 }));
    const user = userEvent.setup();
    renderApp(approvalsPath);
    await user.click(await button("Aprovar"));
    const question = within(await screen.findByRole("dialog", { name: "Aprovar: Resgate?" }));
    expect(fakeServer.calls(readCompanySettings)).toHaveLength(1);
    await user.click(question.getByRole("button", { name: "Aprovar" }));
    await screen.findByText("Aprovado e executado.");
    await waitFor(() => expect(fakeServer.calls(readCompanySettings)).toHaveLength(2));
  });

  it("asks for the code when the server does, again after a wrong one, and repeats the same call with it", async () => {
    fakeServer.on(listApprovalRequests, () => ({
      data: [{ ...request, asks_for_code: true }],
      open_count: 1,
    }));
    const answers = [
      refuse("step_up_required"),
      refuse("second_factor_invalid"),
      { status: "approved" as const, missing: 0 },
    ];
    fakeServer.on(approveRequest, () => answers.shift() as never);
    const user = userEvent.setup();
    renderApp(approvalsPath);
    await user.click(await button("Aprovar"));
    const question = within(await screen.findByRole("dialog", { name: "Aprovar: Resgate?" }));
    question.getByText("Ao confirmar, você digita o código do aplicativo autenticador.");
    await user.click(question.getByRole("button", { name: "Aprovar" }));
    for (const code of ["111111", "222222"]) {
      const asked = within(await screen.findByRole("dialog", { name: "Código do autenticador" }));
      await user.type(asked.getByLabelText("Código de 6 números"), code);
      await user.click(asked.getByRole("button", { name: "Confirmar" }));
    }
    await screen.findByText("Aprovado e executado.");
    const calls = fakeServer.calls(approveRequest);
    expect(new Set(calls.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    expect(calls.map(({ headers }) => headers.get("second-factor-code"))).toEqual([null, "111111", "222222"]);
  });

  it("shows nothing when the question for the code is left, and keeps the request", async () => {
    fakeServer.on(listApprovalRequests, () => ({ data: [request], open_count: 1 }));
    fakeServer.on(approveRequest, () => refuse("step_up_required"));
    const user = userEvent.setup();
    renderApp(approvalsPath);
    await user.click(await button("Aprovar"));
    const question = within(await screen.findByRole("dialog", { name: "Aprovar: Resgate?" }));
    const approve = question.getByRole("button", { name: "Aprovar" });
    await user.click(approve);
    const asked = within(await screen.findByRole("dialog", { name: "Código do autenticador" }));
    await user.click(asked.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(approve.getAttribute("aria-busy")).not.toBe("true"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.queryByRole("dialog", { name: "Aprovar: Resgate?" })).not.toBeNull();
  });

  it("rejects with a reason, and lets the requester cancel it", async () => {
    fakeServer.on(listApprovalRequests, () => ({ data: [request], open_count: 1 }));
    fakeServer.on(rejectRequest, () => ({ status: "rejected" as const }));
    const user = userEvent.setup();
    renderApp(approvalsPath);
    await user.click(await button("Recusar"));
    await user.type(await screen.findByLabelText("Motivo (opcional)"), "Sem nota");
    // Escape, or a click outside, asks before it discards a reason.
    await user.keyboard("{Escape}");
    await user.click(await button("Continuar preenchendo"));
    expect(screen.getByLabelText<HTMLTextAreaElement>("Motivo (opcional)").value).toBe("Sem nota");
    const question = within(screen.getByRole("dialog"));
    fakeServer.on(listApprovalRequests, () => ({
      data: [{ ...request, is_own: true, may_approve: false }],
      open_count: 1,
    }));
    await user.click(question.getByRole("button", { name: "Recusar" }));
    await screen.findByText("Pedido recusado.");
    expect(fakeServer.calls(rejectRequest)[0]?.body).toEqual({ reason: "Sem nota" });
    await button("Cancelar pedido");
    expect(screen.queryByRole("button", { name: "Aprovar" })).toBeNull();
  });

  it("explains why a person may not decide, and shows what was decided", async () => {
    fakeServer.on(listApprovalRequests, () => ({
      data: [
        { ...request, may_approve: false, why_not: "Sua empresa exige que outra pessoa aprove o lote." },
        {
          ...request,
          id: helena,
          status: "rejected" as const,
          may_approve: false,
          decided_by: "Segunda Admin",
        },
        {
          ...request,
          id: "0198f000-0000-7000-8000-0000000000e1",
          kind: "CORRECTION" as const,
          status: "obsolete" as const,
          may_approve: false,
        },
      ],
      open_count: 1,
    }));
    renderApp(approvalsPath, { session: { profile: "operator" } });
    await screen.findByText("Sua empresa exige que outra pessoa aprove o lote.");
    await userEvent.click(await screen.findByText("2 pedidos decididos"));
    await screen.findByText("Encerrado");
    screen.getByText("Encerrado sem decisão: nenhum pagamento do pedido continua com falha.");
    expect(screen.queryByRole("button", { name: "Aprovar" })).toBeNull();
  });

  it("is linked from any page for a person who may approve what waits, and for no other", async () => {
    const own = { ...request, id: helena, is_own: true, may_approve: false };
    fakeServer.on(listApprovalRequests, () => ({ data: [request, own], open_count: 2 }));
    fakeServer.on(countApprovalRequests, () => ({ count: 1 }));
    const app = renderApp(developerPath, { session: { profile: "operator" } });
    await screen.findByText("1 pedido aguarda sua aprovação.");
    // A page that lists no requests counts them without reading them.
    expect(fakeServer.calls(listApprovalRequests)).toEqual([]);
    await userEvent.click(screen.getByRole("link", { name: "Ver aprovações" }));
    await screen.findByRole("heading", { level: 1, name: "Aprovações" });
    app.unmount();
    fakeServer.on(listApprovalRequests, () => ({ data: [own], open_count: 1 }));
    fakeServer.on(countApprovalRequests, () => ({ count: 0 }));
    renderApp(approvalsPath, { session: { profile: "operator" } });
    await button("Cancelar pedido");
    expect(screen.queryByText(/aguarda sua aprovação/)).toBeNull();
  });

  it("is closed to analysts", async () => {
    renderApp(approvalsPath, { session: { profile: "analyst" } });
    await screen.findByText("Você não tem permissão para acessar esta página");
  });
});
