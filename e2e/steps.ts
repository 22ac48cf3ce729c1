/** Actions of a person, named as they would name them. */
import { bases } from "@malote/contracts/contract";
import { watchChanges } from "@malote/contracts/notifications";
import type { Locator, Page } from "@playwright/test";
import { demoPassword } from "./api.ts";
import { expect } from "./test.ts";

export const operator = "rui@aurora.example";
export const admin = "helena@aurora.example";

export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/entrar");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha", { exact: true }).fill(demoPassword);
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Menu de / })).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Menu de / }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await expect(page.getByRole("button", { name: "Entrar", exact: true })).toBeVisible();
}

/** Drags a file from the desktop over the page and drops it. */
export async function dropFile(page: Page, file: { name: string; content: Buffer }): Promise<void> {
  const area = page.getByLabel("Escolher planilha").locator("..");
  const carried = await page.evaluateHandle(
    ({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { name: file.name, base64: file.content.toString("base64") },
  );
  await area.dispatchEvent("dragenter", { dataTransfer: carried });
  await expect(page.getByRole("heading", { name: "Pode soltar sua planilha" })).toBeVisible();
  await area.dispatchEvent("drop", { dataTransfer: carried });
}

export async function openBatch(page: Page, name: string): Promise<Locator> {
  await page.goto("/pagamentos/lotes");
  await page.getByRole("link", { name: `Abrir o lote ${name}` }).click();
  const batch = page.getByRole("dialog", { name, exact: true });
  await expect(batch).toBeVisible();
  return batch;
}

/** Confirms the listed findings by their titles, and expects no others and the person's name beside each. */
export async function tickChecks(place: Locator, titles: readonly string[], person: string): Promise<void> {
  await expect(place.getByRole("checkbox", { name: /^Conferi e quero seguir/ })).toHaveCount(titles.length);
  for (const title of titles) {
    const tick = place.getByRole("checkbox", { name: `Conferi e quero seguir : ${title}`, exact: true });
    await expect(tick).not.toBeChecked();
    await tick.click();
    const line = place.getByRole("listitem").filter({ hasText: title });
    await expect(line).toContainText(`Conferido por ${person}`);
  }
}

/**
 * Stops the stream of changes for journeys that wait for an idle network, because it always has a pending answer. The
 * page then polls.
 */
export async function followNoChanges(page: Page): Promise<void> {
  await page.route(`**${bases.payments}${watchChanges.path}`, (route) =>
    route.fulfill({ contentType: "text/event-stream", body: "retry: 60000\n\n" }),
  );
}

/** Parses `R$ 1.234,56`, `-1.234,56` or `+ 3,00` into centavos. */
export function centsIn(text: string): number {
  const digits = Number(text.replace(/\D/g, ""));
  return /[-−]/.test(text) ? -digits : digits;
}
