import * as contracts from "@malote/contracts/users";
import { AppError } from "../platform/app-error.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { changeUser, createUser, removeUser, sendPasswordLink } from "./change.ts";
import { userOnWire } from "./present.ts";
import { findUser, listUsers } from "./store.ts";

const usersPerPage = 20;

export function userRoutes({ serve }: Serve, parts: Parts): void {
  serve(contracts.listUsers, async (tx, { query }) => {
    const { users, count } = await listUsers(tx, query, { size: usersPerPage, at: query.page });
    return {
      data: users.map(userOnWire),
      metadata: { pagination: { itemsPerPage: usersPerPage, totalItems: count } },
    };
  });
  serve(contracts.readUser, async (tx, { params }) => {
    const user = await findUser(tx, params.id);
    if (!user) throw new AppError("not_found");
    return userOnWire(user);
  });
  serve(contracts.createUser, (tx, call) => createUser(tx, parts, call));
  serve(contracts.changeUser, (tx, call) => changeUser(tx, parts, call));
  serve(contracts.removeUser, (tx, call) => removeUser(tx, parts, call));
  serve(contracts.sendPasswordLink, (tx, call) => sendPasswordLink(tx, parts, call));
}
