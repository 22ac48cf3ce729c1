import { listNews, markNewsSeen, newsKinds, watchChanges } from "@malote/contracts/news";
import { dayMs } from "@malote/domain/durations";
import { watchChanges as watchEvents } from "../platform/events/changes.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import { keepNews } from "./keep.ts";
import { markSeen, readNews } from "./read.ts";
import { deleteOldNews } from "./store.ts";
import { changeStreams } from "./stream.ts";

const keptDays = 90;

export const feature: Feature = {
  routes({ serve, serveOutside, onClose }, services) {
    serve(listNews, readNews);
    serve(markNewsSeen, markSeen);
    const watch = watchEvents(services);
    const streams = changeStreams(watch);
    serveOutside(watchChanges, streams.answer);
    onClose(() => {
      watch.stop();
      streams.endAll();
    });
  },
  subscribers: [subscriber({ name: "company-news", on: newsKinds, handle: keepNews })],
  tidy: ({ db, clock }) =>
    db.withSystem((tx) => deleteOldNews(tx, new Date(clock.now().getTime() - keptDays * dayMs))),
};
