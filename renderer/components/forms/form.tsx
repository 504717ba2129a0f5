import { Stack } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { useFieldError, useRefusal } from '#renderer/service/field-error.ts';
import { FormActions } from './form-actions.tsx';
import { FormModal } from './unsaved.tsx';

type Input = ChangeEvent<HTMLInputElement>;
/** Names of the fields that accept a `Value`. */
type NameOf<Draft, Value> = { [Name in keyof Draft]-?: Value extends Draft[Name] ? Name : never }[keyof Draft] & string;

/**
 * The values of a form until they are saved. `text`, `flag` and `field` return the props that bind an input to one of them;
 * `fault` explains what the service refused about it, until it is changed. `changed` is true until the draft is what `reset` was last called with, or the first one.
 */
export function useDraft<Draft extends object>(first: Draft | (() => Draft), error: unknown) {
  const [draft, setDraft] = useState(first);
  const [saved, setSaved] = useState(draft);
  const [refused, setRefused] = useState({ error, draft });
  if (refused.error !== error) setRefused({ error, draft });
  const explainFault = useFieldError(error);
  const fault = (name: (keyof Draft & string) | `${string}.${keyof Draft & string}`) => {
    const field = name.slice(name.lastIndexOf('.') + 1) as keyof Draft;
    return draft[field] === refused.draft[field] ? explainFault(name) : undefined;
  };
  const edit = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const set = (name: keyof Draft, value: unknown) => setDraft((before) => ({ ...before, [name]: value }));
  return {
    draft,
    changed: JSON.stringify(draft) !== JSON.stringify(saved),
    /** Continues from saved values. */
    reset: (values: Draft) => {
      setDraft(values);
      setSaved(values);
    },
    edit,
    fault,
    text: (name: NameOf<Draft, string>) => ({
      value: String(draft[name] ?? ''),
      error: fault(name),
      onChange: (event: Input) => set(name, event.currentTarget.value),
    }),
    flag: (name: NameOf<Draft, boolean>) => ({
      checked: draft[name] === true,
      onChange: (event: Input) => set(name, event.currentTarget.checked),
    }),
    field: <Name extends keyof Draft & string>(name: Name) => ({
      value: draft[name],
      error: fault(name),
      onChange: (value: Draft[Name]) => set(name, value),
    }),
  };
}

interface Props {
  title: string;
  submit: string;
  size?: string;
  /** True if submitting deletes something. */
  danger?: boolean;
  change: { isPending: boolean; error: unknown };
  /** Whether the user has entered anything that closing loses. */
  changed: boolean;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}

/** A dialog with a form. Mounted only while it is open, so its fields start fresh. */
export function FormDialog({ title, submit, size = 'md', danger, change, changed, onClose, onSubmit, children }: Props) {
  const explain = useExplain();
  const { form, unplaced } = useRefusal(change.error);
  return (
    <FormModal opened changed={changed} onClose={onClose} title={title} size={size}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) onSubmit();
        }}
      >
        <Stack>
          {unplaced !== null && <ErrorNotice explanation={explain(unplaced)} />}
          {children}
          <FormActions submit={submit} onClose={onClose} loading={change.isPending} {...(danger && { color: 'red.8' })} />
        </Stack>
      </form>
    </FormModal>
  );
}
