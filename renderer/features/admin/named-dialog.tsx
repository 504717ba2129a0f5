import { TextInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFieldError } from '#renderer/service/field-error.ts';
import { FormDialog } from './form-dialog.tsx';

interface Props<Draft extends { name: string }>
  extends Omit<ComponentProps<typeof FormDialog>, 'title' | 'submit' | 'onSubmit' | 'change'> {
  /** What is changed; without it, a new thing is made. */
  named: { name: string } | undefined;
  /** Where its texts are. */
  kind: 'groups' | 'policies' | 'webhooks';
  draft: Draft;
  edit: (part: { name: string }) => void;
  change: { isPending: boolean; error: unknown; mutate(draft: Draft): void };
}

/** A dialog about something that has a name, which comes first. */
export function NamedDialog<Draft extends { name: string }>({ named, kind, draft, edit, change, fields, children, ...rest }: Props<Draft>) {
  const { t } = useTranslation('admin');
  const fault = useFieldError(change.error);
  return (
    <FormDialog
      {...rest}
      title={named ? t(`${kind}.editTitle`, { name: named.name }) : t(`${kind}.create`)}
      submit={named ? t('save') : t(`${kind}.create`)}
      change={change}
      fields={['name', ...fields]}
      onSubmit={() => change.mutate(draft)}
    >
      <TextInput
        label={t('name')}
        data-autofocus
        maxLength={100}
        value={draft.name}
        error={fault('name')}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      {children}
    </FormDialog>
  );
}

/** What a form holds until it is saved, and how some of it is changed. */
export function useDraft<Draft extends object>(first: () => Draft) {
  const [draft, setDraft] = useState(first);
  return [draft, (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))] as const;
}
