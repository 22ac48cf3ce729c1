/**
 * A chunk of its own, fetched once the page is shown; the library's helpers come with the page. It registers only what
 * four kinds of charts need; the library's tooltip stays out of the build, because chart.tsx has its own.
 */
import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
} from "chart.js";

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  DoughnutController,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
);

export { Chart };
