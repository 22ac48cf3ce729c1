import type { Fault } from "../fault.ts";

const domain = (file: string, title: string) => ({ file: `packages/domain/src/${file}`, test: title });

/** Of the pure rules. */
export const ruleFaults: Fault[] = [
  {
    name: "an operator withdraws where the company says no",
    file: "packages/domain/src/withdrawal.ts",
    right: 'facts.profile === "operator" && !facts.blockWithdrawForOperator',
    wrong: 'facts.profile === "operator"',
    caughtBy: domain("withdrawal.test.ts", "STM-027 operator, withdrawing closed to operators: true"),
    isQuick: true,
  },
  {
    name: "a payment of exactly the maximum is refused",
    file: "packages/domain/src/transfer.ts",
    right: "else if (value > max) report",
    wrong: "else if (value >= max) report",
    caughtBy: domain("transfer.test.ts", "TRF-037 one centavo and the maximum itself may be paid"),
    isQuick: true,
  },
  {
    name: "a TED still runs the same day one second after the cut-off",
    file: "packages/domain/src/calendar.ts",
    right: 'export const tedCutOff = "16:30:00";',
    wrong: 'export const tedCutOff = "16:30:01";',
    caughtBy: domain("calendar.test.ts", "BAT-050 a TED handed over at"),
    isQuick: true,
  },
  {
    name: "a comma groups and a dot decides",
    file: "packages/domain/src/money.ts",
    right: 'const sign = comma >= 0 ? "," : ".";',
    wrong: 'const sign = comma >= 0 ? "." : ",";',
    caughtBy: domain("money.test.ts", "IMP-018 reads"),
    isQuick: true,
  },
  {
    name: "an amount without decimals is read as centavos instead of reais",
    file: "packages/domain/src/money.ts",
    right: 'amount.decimals.padEnd(2, "0")',
    wrong: "amount.decimals",
    caughtBy: domain("money.test.ts", "IMP-018 reads"),
    isQuick: true,
  },
  {
    name: "a batch is led to funding when the balance is exactly its value",
    file: "packages/domain/src/batch.ts",
    right: "const isFunded = facts.isValidationAccount || facts.availableCents >= facts.totalCents;",
    wrong: "const isFunded = facts.isValidationAccount || facts.availableCents > facts.totalCents;",
    caughtBy: domain("batch.test.ts", "BAT-054 admin with 10000 centavos"),
    isQuick: true,
  },
];
