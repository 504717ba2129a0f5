import '@mantine/charts/styles.layer.css';
import { AreaChart, BarChart } from '@mantine/charts';
import type { Stats } from '#api/admin/stats.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './charts.module.css';

const HEIGHT = 180;

/** Charts are sized in pixels, but text is larger on very wide screens. */
const scaleOfText = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/** Evenly spaced labels, as many as fit. */
const EVEN = { interval: 'equidistantPreserveStart', minTickGap: 16 } as const;

/** Keeps charts out of the tab order: the caption gives the total. */
const UNREACHABLE = { accessibilityLayer: false };

/** Uploads, views and storage by day, each with its total in the caption. */
export function Charts({ days, storedNow }: { days: Stats['days']; storedNow: number }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  // The last day isn't over, so its total isn't recorded yet.
  const storedOn = ({ stored_bytes }: Stats['days'][number], index: number) =>
    stored_bytes ?? (index === days.length - 1 ? storedNow : null);
  const data = days.map((day, index) => ({ ...day, stored_bytes: storedOn(day, index), label: format.date(`${day.day}T12:00:00`) }));
  const sum = (name: 'uploads' | 'views') => days.reduce((total, day) => total + day[name], 0);
  const scale = scaleOfText();
  const common = { h: HEIGHT * scale, data, dataKey: 'label', gridAxis: 'x', tickLine: 'none', withXAxis: true, xAxisProps: EVEN } as const;
  const ticks = byteTicks(Math.max(storedNow, ...data.map(({ stored_bytes }) => stored_bytes ?? 0)));
  const everyTick = { interval: 0 } as const;
  const whole = { ...everyTick, allowDecimals: false, width: 44 * scale };
  return (
    <div className={classes.charts}>
      <Figure title={t('dashboard.uploads')} sum={format.number(sum('uploads'))}>
        <BarChart
          {...common}
          barChartProps={UNREACHABLE}
          yAxisProps={whole}
          series={[{ name: 'uploads', label: t('dashboard.uploads'), color: 'petrol.6' }]}
        />
      </Figure>
      <Figure title={t('dashboard.views')} sum={format.number(sum('views'))}>
        <BarChart
          {...common}
          barChartProps={UNREACHABLE}
          yAxisProps={whole}
          series={[{ name: 'views', label: t('dashboard.views'), color: 'petrol.6' }]}
        />
      </Figure>
      <Figure title={t('dashboard.storage')} sum={format.bytes(storedNow)}>
        <AreaChart
          {...common}
          areaChartProps={UNREACHABLE}
          connectNulls
          withDots={data.filter((day) => day.stored_bytes !== null).length === 1}
          curveType="monotone"
          valueFormatter={format.bytes}
          yAxisProps={{ ...everyTick, width: 64 * scale, ticks, domain: [0, ticks.at(-1) ?? 0] }}
          series={[{ name: 'stored_bytes', label: t('dashboard.storage'), color: 'petrol.6' }]}
        />
      </Figure>
    </div>
  );
}

function Figure({ title, sum, children }: { title: string; sum: string; children: React.ReactNode }) {
  return (
    <figure className={classes.figure}>
      <figcaption>
        {title} <strong>{sum}</strong>
      </figcaption>
      <div aria-hidden="true">{children}</div>
    </figure>
  );
}

/** Steps within one unit; four times each reaches the next. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256];
const MAX_STEPS = 4;

/** The ticks of an axis of bytes up to `max`, round in units of 1024. */
export function byteTicks(max: number): number[] {
  let unit = 1;
  while (max > unit * 1024) unit *= 1024;
  const step = unit * (STEPS.find((each) => each * unit * MAX_STEPS >= max) ?? 256);
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}
