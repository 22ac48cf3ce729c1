/**
 * The sandbox's clearing house: derives the registration of each boleto from its code, except for boletos that our own
 * companies issue.
 */

import { bankBarcode, formatBoletoLine, readBoletoCode } from "@malote/domain/boleto-code";
import { addDays, type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import { ownInstitution } from "@malote/domain/own-institution";
import type { RegisteredBoleto } from "@malote/domain/registered-boleto";
import type { Clock } from "../../../platform/clock.ts";
import type { BoletoRegister, RegisterAnswer } from "../../../ports/boleto-register.ts";
import { inventedParty } from "./invented.ts";
import { boletoCase } from "./magic-values.ts";
import { NoAnswer } from "./no-answer.ts";

const utilities = "Companhia de Serviços Públicos";

/** A fine of 2 % and interest of 1 % a month, as on most boletos; payable up to sixty days late. */
const lateTerms = { fineBasisPoints: 200, interestBasisPoints: 100, takenDays: 60 } as const;
/** A discount of one twentieth, up to five days before the due date. */
const earlyTerms = { share: 20, daysBefore: 5 } as const;

export function registrationOf(barcode: string, today: CalendarDate): RegisteredBoleto | undefined {
  const code = readBoletoCode(barcode, today);
  if (!code) return undefined;
  const { value, dueDate, kind } = code;
  const held = boletoCase(barcode);
  const late = held === "45" ? lateTerms : undefined;
  const company = inventedParty(`beneficiary ${barcode.slice(0, 3)} ${barcode.slice(19)}`, "company");
  return {
    beneficiary: kind === "COLLECTION" ? { ...company, name: utilities } : company,
    value: value ?? cents(0),
    dueDate,
    // Most of the sandbox's issuers accept nothing after the due date.
    limitDate: dueDate && (late ? addDays(dueDate, late.takenDays) : dueDate),
    fineBasisPoints: late?.fineBasisPoints ?? 0,
    interestBasisPoints: late?.interestBasisPoints ?? 0,
    discount:
      held === "46" && dueDate && value
        ? {
            amount: cents(Math.floor(value / earlyTerms.share)),
            until: addDays(dueDate, -earlyTerms.daysBefore),
          }
        : null,
    abatement: cents(0),
  };
}

/** Returns boletos with special registrations to try, with dates near the given time. */
export function boletosToTry(now: Date): { kind: string; value: string; outcome: string }[] {
  const today = saoPauloDate(now);
  const line = (ending: string, days: number) =>
    formatBoletoLine(
      bankBarcode({
        bankCode: ownInstitution().code,
        dueDate: addDays(today, days),
        value: cents(1_000_00),
        freeField: `${"9".repeat(10)}${"0".repeat(13)}${ending}`,
      }),
    );
  const rows: readonly (readonly [line: string, outcome: string])[] = [
    [line("45", -10), "Vencido há 10 dias: é aceito com multa e juros."],
    [line("46", 20), "Tem desconto até 5 dias antes do vencimento."],
    [line("55", 20), "O registro não responde à consulta."],
  ];
  return rows.map(([value, outcome]) => ({ kind: "Boleto (linha digitável)", value, outcome }));
}

export function sandboxBoletoRegister(clock: Clock): BoletoRegister {
  return {
    async find(barcode): Promise<RegisterAnswer> {
      const held = boletoCase(barcode);
      if (held === "25" || held === "55") throw new NoAnswer();
      const boleto = registrationOf(barcode, saoPauloDate(clock.now()));
      if (!boleto || held === "15") return { outcome: "not_registered" };
      return { outcome: held === "16" ? "paid" : "payable", boleto };
    },
  };
}
