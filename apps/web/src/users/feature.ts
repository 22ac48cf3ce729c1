import { sendToFirstSteps } from "../first-steps/index.ts";
import { type Feature, page } from "../shell/feature.ts";
import type { BeforeEnter } from "../shell/guards.ts";
import { usersSearch } from "./search.ts";

const firstSteps = sendToFirstSteps("AdminUsersPage");

/** COM-017. The guard behind this one refuses people who are no admins (COM-002). */
const setUpFirst: BeforeEnter = (session, address) =>
  session.application.id === "payments" && session.profile === "admin"
    ? firstSteps(session, address)
    : undefined;

/** A tab of 'Minha empresa'. */
export const users: Feature = {
  pages: [
    page("AdminUsersPage", {
      title: "Usuários",
      before: [setUpFirst],
      search: usersSearch,
      load: () => import("./users-page.tsx"),
    }),
  ],
};
