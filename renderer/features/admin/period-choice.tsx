import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const PERIODS = [7, 30, 90] as const;

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
