import { Group, Modal, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { canBeTaken, MIN_TAKEN_YEAR } from '#api/images/taken-at.ts';
import { FormActions } from '#renderer/components/forms/form-actions.tsx';
import { TakenField, takenProblem, toLocalSecond } from '#renderer/components/forms/taken-field.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { amountOf, type BatchTarget, takenAfter } from '#renderer/images/list/batch.ts';

/** The date that pictures get, or by how much their own ones shift. */
export type AskedDate = { taken_at: string } | { shift_seconds: number };

interface Props {
  target: BatchTarget;
  onClose: () => void;
  onChange: (date: AskedDate) => void;
}

const UNITS = { days: 86_400, hours: 3600, minutes: 60 } as const;
const UNIT_NAMES = ['days', 'hours', 'minutes'] as const;
/** More than lies between any two pictures. */
const MAX_AMOUNT = 100_000;

/** Corrects dates: shifts them, for a camera whose clock or time zone was wrong, or gives all pictures the same. */
export function DateDialog({ target, onClose, onChange }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = amountOf(target);
  const [first] = target.images;
  const [way, setWay] = useState<'shift' | 'set'>(count > 1 ? 'shift' : 'set');
  const [time, setTime] = useState(() => toLocalSecond(first?.taken_at ?? new Date().toISOString()));
  const [direction, setDirection] = useState<'later' | 'earlier'>('later');
  const [amounts, setAmounts] = useState({ days: 0, hours: 0, minutes: 0 });
  const seconds = UNIT_NAMES.reduce((sum, unit) => sum + amounts[unit] * UNITS[unit], 0);
  const shift_seconds = direction === 'later' ? seconds : -seconds;
  const after = first && takenAfter(first.taken_at, { shift_seconds });
  const isImplausible = after !== undefined && !canBeTaken(Date.parse(after));
  const isReady = way === 'set' ? !takenProblem(time) : seconds > 0 && !isImplausible;
  const save = () => {
    if (!isReady) return;
    onClose();
    onChange(way === 'set' ? { taken_at: new Date(time).toISOString() } : { shift_seconds });
  };
  return (
    <Modal opened onClose={onClose} title={t('redating.title', { count, formatted: format.number(count) })}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <SegmentedControl
            fullWidth
            aria-label={t('redating.way')}
            value={way}
            data={[
              { value: 'shift', label: t('redating.shift') },
              { value: 'set', label: t('redating.set') },
            ]}
            onChange={(value) => setWay(value === 'set' ? 'set' : 'shift')}
          />
          {way === 'set' ? (
            <>
              <TakenField
                label={t('expiry.moment', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
                value={time}
                onChange={setTime}
              />
              {count > 1 && <Hint>{t('redating.setHint')}</Hint>}
            </>
          ) : (
            <>
              <SegmentedControl
                fullWidth
                aria-label={t('redating.direction')}
                value={direction}
                data={(['earlier', 'later'] as const).map((value) => ({ value, label: t(`redating.${value}`) }))}
                onChange={(value) => setDirection(value === 'earlier' ? 'earlier' : 'later')}
              />
              <Group grow wrap="nowrap" gap="xs">
                {UNIT_NAMES.map((unit, index) => (
                  <NumberInput
                    key={unit}
                    label={t(`redating.${unit}`)}
                    size="sm"
                    min={0}
                    max={MAX_AMOUNT}
                    allowDecimal={false}
                    allowNegative={false}
                    clampBehavior="strict"
                    value={amounts[unit]}
                    onChange={(value) => setAmounts((before) => ({ ...before, [unit]: Number(value) || 0 }))}
                    {...(index === 0 && { 'data-autofocus': true })}
                  />
                ))}
              </Group>
              {first && after && (
                <Text size="sm" role="status" c={isImplausible ? 'red' : undefined}>
                  {isImplausible
                    ? t('details.takenYears', { from: MIN_TAKEN_YEAR, to: new Date().getFullYear() + 1 })
                    : t('redating.preview', { before: format.moment(first.taken_at), after: format.moment(after) })}
                </Text>
              )}
              <Hint>{t('redating.shiftHint')}</Hint>
            </>
          )}
          <FormActions submit={t('redating.save')} onClose={onClose} disabled={!isReady} />
        </Stack>
      </form>
    </Modal>
  );
}

function Hint({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
