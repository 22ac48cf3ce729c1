/** People of the fake server. */
import { listUsers, type User } from "@malote/contracts/users";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { company } from "../company/feature.ts";
import { users } from "../users/feature.ts";
import { fakeServer } from "./fake-server.ts";
import { placeholderScreens } from "./placeholder-screens.tsx";
import { buildSession, payments, validation } from "./token.ts";

export const address = "/minha-empresa/usuarios";

export const features = [company, users, placeholderScreens("BatchesPage", "FirstStepsPage")];

export const both = { allowed_applications: [payments, validation] };

export const own = buildSession().sub;

export const buildUser = (given: Partial<User> = {}): User => ({
  id: "0198f000-0000-7000-8000-00000000b001",
  name: "Rui Tavares",
  email: "rui@aurora.exemplo",
  has_two_factor_enabled: false,
  has_password: true,
  profile: "operator",
  applications: [payments],
  ...given,
});

export const rui = buildUser();

export const helena = buildUser({
  id: own,
  name: "Helena Prado",
  email: "helena@aurora.exemplo",
  profile: "admin",
  has_two_factor_enabled: true,
  applications: [payments, validation],
});

export const serve = (data: User[], totalItems = data.length) =>
  fakeServer.on(listUsers, () => ({ data, metadata: { pagination: { itemsPerPage: 20, totalItems } } }));

export const openRow = async (name: string) => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: `Abrir o usuário ${name}` }));
  return user;
};

export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
