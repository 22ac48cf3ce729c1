import { expect, it } from "vitest";
import { errorText } from "./errors.ts";

it.each([
  [1, "1 pessoa que aprova precisa ter a autenticação"],
  [2, "2 pessoas que aprovam precisam ter a autenticação"],
])("speaks of %i who approve without a second factor", (count, words) => {
  expect(errorText("controls_without_factor", { count })).toContain(`do autenticador, ${words}`);
});

it("counts one mistake in the singular and several in the plural", () => {
  expect(errorText("batch_has_errors", { count: 1 })).toContain("o pagamento com erro");
  expect(errorText("batch_has_errors", { count: 3 })).toContain("os 3 pagamentos com erro");
});
