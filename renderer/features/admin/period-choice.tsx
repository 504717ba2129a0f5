import { SegmentedControl } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useAdminFilters } from './filters.ts';

const PERIODS = [7, 30, 90] as const;
const USUAL = 30;

/** The number of days in the address, and a function that changes it. */
export function usePeriod() {
  const { filters, narrow } = useAdminFilters();
  const days = PERIODS.find((known) => known === filters.days) ?? USUAL;
  return { days, choose: (chosen: number) => narrow({ days: chosen === USUAL ? undefined : chosen }) };
}

/** How many days a page counts. */
export function PeriodChoice({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  const { t } = useTranslation('admin');
  return (
    <SegmentedControl
      aria-label={t('dashboard.period')}
      value={String(days)}
      onChange={(value) => onChange(Number(value))}
      data={PERIODS.map((count) => ({ value: String(count), label: t('dashboard.days', { count }) }))}
    />
  );
}
