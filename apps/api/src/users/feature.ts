import * as contracts from "@malote/contracts/users";
import { findUser, listUsers } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Call, Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { changeUser, createUser, removeUser, resetTwoFactor, sendPasswordLink } from "./change.ts";
import { emailAboutUsers, userEvents } from "./emails.ts";
import { userOnWire } from "./present.ts";

const usersPerPage = 20;

export function userRoutes({ serve }: Serve, services: Services): void {
  async function list(tx: Tx, { query }: Pick<Call<typeof contracts.listUsers>, "query">) {
    const { users, count } = await listUsers(tx, query, { size: usersPerPage, at: query.page });
    return {
      data: users.map(userOnWire),
      metadata: { pagination: { itemsPerPage: usersPerPage, totalItems: count } },
    };
  }
  async function read(tx: Tx, { params }: Pick<Call<typeof contracts.readUser>, "params">) {
    const user = await findUser(tx, params.id);
    if (!user) throw new AppError("not_found");
    return userOnWire(user);
  }
  serve(contracts.listUsers, list);
  serve(contracts.readUser, read);
  serve(contracts.createUser, (tx, call) => createUser(tx, services, call));
  serve(contracts.changeUser, (tx, call) => changeUser(tx, services, call));
  serve(contracts.removeUser, (tx, call) => removeUser(tx, services, call));
  serve(contracts.resetTwoFactor, (tx, call) => resetTwoFactor(tx, services, call));
  serve(contracts.sendPasswordLink, (tx, call) => sendPasswordLink(tx, services, call));

  // COM-016: companies without payments manage users through these calls.
  serve(contracts.listValidationUsers, list);
  serve(contracts.readValidationUser, read);
  serve(contracts.createValidationUser, (tx, call) => createUser(tx, services, call));
  serve(contracts.changeValidationUser, (tx, call) => changeUser(tx, services, call));
  serve(contracts.removeValidationUser, (tx, call) => removeUser(tx, services, call));
  serve(contracts.resetValidationTwoFactor, (tx, call) => resetTwoFactor(tx, services, call));
  serve(contracts.sendValidationPasswordLink, (tx, call) => sendPasswordLink(tx, services, call));
}

export const usersFeature: Feature = {
  routes: userRoutes,
  subscribers: [subscriber({ name: "user-emails", on: userEvents, handle: emailAboutUsers })],
};
