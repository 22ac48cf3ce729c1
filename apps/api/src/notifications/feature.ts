import {
  listNotifications,
  markNotificationsSeen,
  notificationKinds,
  watchChanges,
} from "@malote/contracts/notifications";
import { dayMs } from "@malote/domain/durations";
import { watchChanges as watchEvents } from "../platform/events/changes.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import { markSeen, readNotifications } from "./read.ts";
import { recordNotifications } from "./record.ts";
import { deleteOldNotifications } from "./store.ts";
import { changeStreams } from "./stream.ts";

const keptDays = 90;

export const notificationsFeature: Feature = {
  routes({ serve, serveOutside, onClose }, services) {
    serve(listNotifications, readNotifications);
    serve(markNotificationsSeen, markSeen);
    const watch = watchEvents(services);
    const streams = changeStreams(watch);
    serveOutside(watchChanges, { queue: "none" }, streams.answer);
    onClose(() => {
      watch.stop();
      streams.endAll();
    });
  },
  subscribers: [
    subscriber({ name: "company-notifications", on: notificationKinds, handle: recordNotifications }),
  ],
  tidy: ({ db, clock }) =>
    db.withSystem((tx) => deleteOldNotifications(tx, new Date(clock.now().getTime() - keptDays * dayMs))),
};
