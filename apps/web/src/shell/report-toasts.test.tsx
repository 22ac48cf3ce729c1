/** Messages about reports, which stay twice as long as others, wherever a report is requested. */
import { requestBatchReport } from "@malote/contracts/batches";
import { requestMonthlyReport } from "@malote/contracts/billing";
import { requestStatementCsv } from "@malote/contracts/reports";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { useReport } from "../batches/use-report.ts";
import { useRequestReport } from "../billing/api.ts";
import { useRequestStatement } from "../reports/api.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { testId } from "../testing/payments.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { createQueryClient } from "./query-client.ts";

const statement = { form: "csv", initialDate: "2026-11-01", endDate: "2026-11-30" } as const;
const places: [string, () => () => void, string][] = [
  [
    "of a batch",
    () => useReport({ id: testId(1), name: "Folha" }).download,
    "Seu relatório está sendo gerado.",
  ],
  [
    "of an invoice",
    () => {
      const { mutate } = useRequestReport();
      return () => mutate("2026-11-01");
    },
    "Seu relatório está sendo gerado. Você vai recebê-lo por e-mail.",
  ],
  [
    "of the statement",
    () => {
      const { mutate } = useRequestStatement();
      return () => mutate(statement);
    },
    "Seu relatório está sendo gerado e será enviado por e-mail.",
  ],
];

it.each(places)("SES-076 the message about the report %s stays 10 seconds", async (_which, useAsk, text) => {
  vi.useFakeTimers();
  fakeServer.keepWaiting(requestBatchReport);
  fakeServer.on(requestMonthlyReport, () => ({ ok: true as const }));
  fakeServer.on(requestStatementCsv, () => ({ id: testId(90) }));
  const queryClient = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <MaloteTheme>{children}</MaloteTheme>
    </QueryClientProvider>
  );
  const { result } = renderHook(useAsk, { wrapper });
  const said = () => screen.queryByText(text);
  act(() => result.current());
  for (let turn = 0; turn < 50 && !said(); turn++) await act(() => vi.advanceTimersByTimeAsync(0));
  await act(() => vi.advanceTimersByTimeAsync(9_900));
  expect(said()).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(said()).toBeNull();
});
