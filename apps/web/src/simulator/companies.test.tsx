/** Decisions of the simulator about companies: options, notices, contested and blocked Pix. */
import type { CompanyOptions } from "@malote/contracts/installation";
import {
  announceNotice,
  changeOptions,
  endNotice,
  showNotices,
} from "@malote/contracts/simulator-installation";
import {
  announceInfraction,
  endPixBlock,
  listSimulatedPayins,
  reportInfraction,
} from "@malote/contracts/simulator-payins";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import {
  answer,
  company,
  invoice,
  open,
  openNotice,
  options,
  otherId,
  panel,
} from "../testing/simulator.tsx";

beforeEach(() => answer());

it("PAY-024 ends the analysis of a blocked Pix in each of its three ways", async () => {
  const user = userEvent.setup();
  const pix = { company_id: invoice.company.id, end_to_end_id: "E1" };
  answer();
  fakeServer.on(listSimulatedPayins, () => ({
    charges: [],
    received_pix: [
      {
        company: { id: pix.company_id, name: "Aurora Papelaria" },
        end_to_end_id: pix.end_to_end_id,
        amount: 150_00,
        payer_name: "Bruno Sales",
        is_blocked: true,
        was_blocked: true,
      },
    ],
  }));
  fakeServer.on(endPixBlock, () => ({ ok: true as const }));
  open();
  for (const [name, outcome] of [
    ["Liberar o Pix de Bruno Sales", "released"],
    ["Devolver o Pix de Bruno Sales", "returned"],
    ["Manter bloqueado o Pix de Bruno Sales", "kept"],
  ] as const) {
    await user.click(await screen.findByRole("button", { name }));
    await waitFor(() => expect(fakeServer.calls(endPixBlock).at(-1)?.body).toEqual({ ...pix, outcome }));
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name }).disabled).toBe(false));
  }
});

it("contests a received Pix, and announces the opinion", async () => {
  fakeServer.on(reportInfraction, () => ({ id: "i2" }));
  fakeServer.on(announceInfraction, () => ({ ok: true as const }));
  answer();
  open();
  const infractions = await panel("Infrações (MED)");
  await infractions.findByText("Reprovada · Entregue");
  await userEvent.type(infractions.getByLabelText("O que o pagador disse"), "Fui enganado");
  await userEvent.click(infractions.getByRole("button", { name: "Contestar Pix" }));
  await screen.findByText("Pix contestado.");
  expect(fakeServer.calls(reportInfraction)[0]?.body).toEqual({
    end_to_end_id: "E88888801202611201530abcdef00001",
    situation_type: "scam",
    description: "Fui enganado",
  });
  await userEvent.click(infractions.getByRole("button", { name: /^Improcedente: infração/ }));
  await waitFor(() => expect(fakeServer.calls(announceInfraction)[0]?.body).toEqual({ kind: "disagreed" }));
});

it("sets a company's options and permissions, and announces notices", async () => {
  const user = userEvent.setup();
  const changed: string[] = [];
  const ended: string[] = [];
  fakeServer.on(changeOptions, ({ params }) => {
    changed.push(params.id ?? "");
    return options;
  });
  fakeServer.on(showNotices, () => ({ ok: true as const }));
  fakeServer.on(announceNotice, () => openNotice);
  fakeServer.on(endNotice, ({ params }) => {
    ended.push(params.id ?? "");
    return { ok: true as const };
  });
  open();
  const installation = await panel("Instalação");
  const on = (name: string) => installation.findByRole<HTMLInputElement>("switch", { name });
  expect((await on("Empresa bloqueada")).checked).toBe(false);
  await user.click(await on("Empresa bloqueada"));
  await user.click(installation.getByText("Permissões"));
  expect((await on("Pagar por Pix")).checked).toBe(true);
  await user.click(await on("Pagar por Pix"));
  await user.click(installation.getByRole("button", { name: "Horizonte" }));
  expect((await on("Empresa bloqueada")).checked).toBe(true);
  await user.click(await on("Empresa bloqueada"));
  const sent = fakeServer.calls(changeOptions);
  expect(changed).toEqual([company.id, company.id, otherId]);
  expect(sent[0]?.body).toEqual({ blocked: true });
  const { permissions = [] } = (sent[1]?.body ?? {}) as Partial<CompanyOptions>;
  expect(permissions).toHaveLength(25);
  expect(permissions).not.toContain("payout_pix");
  expect(sent[2]?.body).toEqual({ blocked: false });

  await user.click(await on("Mostrar no sandbox os avisos de incidente e manutenção"));
  await user.click(installation.getByRole("button", { name: "Publicar incidente" }));
  installation.getByText("Escreva o texto do aviso");
  expect(fakeServer.calls(announceNotice)).toHaveLength(0);
  await user.type(installation.getByLabelText("Texto do aviso"), "Manutenção do banco");
  await user.click(installation.getByRole("button", { name: "Publicar manutenção" }));
  await screen.findByText("Aviso publicado.");
  expect(fakeServer.calls(announceNotice)[0]?.body).toMatchObject({
    kind: "maintenance",
    name: "Manutenção do banco",
  });
  await user.click(installation.getByRole("button", { name: "Encerrar" }));
  await waitFor(() => expect(ended).toEqual([openNotice.id]));
  expect(fakeServer.calls(showNotices)[0]?.body).toEqual({ shows: true });
});
