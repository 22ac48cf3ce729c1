import { createReceiver, searchReceivers } from "@malote/contracts/receivers";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { sendToFirstSteps } from "../first-steps/index.ts";
import { call } from "../shell/call.ts";
import { type Command, type Feature, page } from "../shell/feature.ts";
import { pathOf } from "../shell/routes.ts";
import { may } from "../shell/session.ts";
import { receiverName } from "../transfers/index.ts";
import { receiverSearchMin } from "./api.ts";
import { receiversSearch } from "./search.ts";

const addressOf = (receiver: string) => `${pathOf("ReceiversPage")}?recebedor=${receiver}`;

async function findReceivers(search: string, signal: AbortSignal): Promise<Command[]> {
  if (search.length < receiverSearchMin) return [];
  const { data } = await call(searchReceivers, { query: { search }, signal });
  return data.map((receiver) => ({
    id: receiver.id,
    label: receiverName(receiver),
    icon: IconUsers,
    to: addressOf(receiver.id),
  }));
}

export const receivers: Feature = {
  pages: [
    page("ReceiversPage", {
      title: "Seus recebedores",
      // RCV-006: before first steps, the page redirects there.
      before: [sendToFirstSteps("ReceiversPage")],
      search: receiversSearch,
      load: () => import("./receivers-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Recebedores", to: "ReceiversPage", icon: IconUsers }],
  commands: [
    {
      id: "novo-recebedor",
      label: "Novo recebedor",
      words: "cadastrar favorecido contato",
      icon: IconUserPlus,
      shows: (session) => may(createReceiver, session),
      to: addressOf("novo"),
    },
  ],
  searches: [
    {
      heading: "Recebedores",
      find: findReceivers,
      shows: (session) => session.application.id === "payments",
    },
  ],
};
