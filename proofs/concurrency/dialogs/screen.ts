import type { Locator, Page } from "@playwright/test";
import type { Subject } from "./money-dialog.ts";

export const onScreen = (page: Page, { name }: Subject) => page.getByRole("dialog", { name, exact: true });
export const button = (place: Locator, name: string) => place.getByRole("button", { name, exact: true });

export async function openBatch(page: Page, subject: Subject): Promise<Locator> {
  await page.goto("/pagamentos/lotes");
  await page.getByRole("link", { name: `Abrir o lote ${subject.name}`, exact: true }).click();
  return onScreen(page, subject);
}

/** Opens the dialog of a batch's button and returns its answer button. */
export async function asked(page: Page, opener: Locator, title: string, answer: string): Promise<Locator> {
  await opener.click();
  return button(page.getByRole("dialog", { name: title }), answer);
}
