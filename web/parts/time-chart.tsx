import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

const HEIGHT = 160;

export interface TimeChartProps {
  /** Unix seconds, ascending, and values. */
  readonly points: readonly [times: number[], values: number[]];
  /** What it shows, for screen readers. */
  readonly label: string;
}

/** A line over time. */
export function TimeChart({ points, label }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(getOptions(element), [[], []], element);
    chart.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => made.redraw(false, true);
    dark.addEventListener('change', redraw);
    return () => {
      resize.disconnect();
      dark.removeEventListener('change', redraw);
      made.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.setData([points[0], points[1]]), [points]);
  return <div class="chart" ref={place} role="img" aria-label={`Chart: ${label}`} />;
}

/** Room for the longest label: seven pixels a digit, and the marks. */
function toAxisWidth(_chart: uPlot, labels: readonly (string | null)[] | null): number {
  return 16 + 7 * Math.max(4, ...(labels ?? []).map((label) => label?.length ?? 0));
}

function getOptions(element: HTMLElement): uPlot.Options {
  const color = (name: string) => () => getComputedStyle(element).getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1 },
    font: '12px system-ui, sans-serif',
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    fmtDate: () => (date) => date.toTimeString().slice(0, 8),
    padding: [8, 28, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      { ...axis, size: 30 },
      { ...axis, size: toAxisWidth },
    ],
    series: [
      {},
      { stroke: color('--accent'), width: 1.5, fill: color('--accent-faint'), points: { show: false } },
    ],
  };
}
