/** Opens and fills the checkout for its tests. */
import {
  type Checkout,
  type CheckoutCharge,
  payCheckout,
  readCheckout,
  readCheckoutCharge,
} from "@malote/contracts/checkout";
import { readBrand } from "@malote/contracts/session";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import { CheckoutPage } from "../checkout/checkout-page.tsx";
import { brandOfPage } from "../shell/brand.ts";
import { createQueryClient } from "../shell/query-client.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { fakeServer, type refuse } from "./fake-server.ts";

export const token = "AAAAAAAAAAAAAAAAAAAAAA";

export const course: Checkout = {
  company: { name: "Aurora Comércio", has_logo: false },
  name: "Curso de outubro",
  description: "Turma da noite",
  amount: 100_00,
  expires_at: "2099-01-01T02:59:59.999Z",
  status: "active",
  payment_methods: ["credit_card", "boleto", "pix"],
  max_installments: 3,
};

export const charge: CheckoutCharge = {
  id: "0198f000-0000-7000-8000-0000000000e1",
  state: "waiting",
  payment_method: "pix",
  amount: 100_00,
  pix: { code: "00020101021226830014br.gov.bcb.pix", expires_at: "2098-12-31T15:00:00.000Z" },
  boleto: null,
  card: null,
};

export function open(checkout: Checkout | ReturnType<typeof refuse> = course) {
  fakeServer.on(readBrand, () => brandOfPage());
  fakeServer.on(readCheckout, () => checkout);
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <MaloteTheme>
        <CheckoutPage token={token} />
      </MaloteTheme>
    </QueryClientProvider>,
  );
}

/** Answers as the server does, under the id that was sent. */
export const answer = (given: Partial<CheckoutCharge>) => {
  fakeServer.on(payCheckout, ({ body }) => ({ ...charge, ...given, id: body.id }));
  fakeServer.on(readCheckoutCharge, ({ params }) => ({ ...charge, ...given, id: params["id"] ?? "" }));
};

export async function fillPayer(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText("Nome completo"), "Marina Lopes");
  await user.type(screen.getByLabelText("CPF ou CNPJ"), "12345678909");
}

export async function focusOn(name: string) {
  const heading = await screen.findByRole("heading", { name });
  expect(document.activeElement).toBe(heading);
}

export async function fillCard(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByLabelText(/^Cartão de crédito/));
  await user.type(await screen.findByLabelText("Número do cartão"), "4111111111111111");
  await user.type(screen.getByLabelText("Nome impresso no cartão"), "MARINA LOPES");
  await user.type(screen.getByLabelText("Validade"), "1240");
  await user.type(screen.getByLabelText("Código de segurança"), "123");
}
