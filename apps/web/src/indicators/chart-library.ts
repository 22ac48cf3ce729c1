/**
 * A file of its own, fetched when the page is there; the library's helpers come with the page. Only what our four kinds need:
 * everything else stays out of the build, the library's tooltip too, since ours is of the page (chart.tsx).
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
