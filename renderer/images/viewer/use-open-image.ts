import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Pressed } from './opening.tsx';

interface Search {
  picture?: string | undefined;
  edit?: true | undefined;
}

/**
 * The image that the viewer shows, and whether it is being edited. Both are part of the address, so that Back closes the editor and then
 * the viewer, and a reload keeps them open.
 */
export function useOpenImage() {
  const { picture: shown, edit }: Search = useSearch({ strict: false });
  const editing = edit === true;
  const navigate = useNavigate();
  const router = useRouter();
  const openedHere = useRef(false);
  const [last, setLast] = useState<string>();
  if (shown !== undefined && shown !== last) setLast(shown);
  // Only once the viewer is gone: it would take the focus back.
  const returnTo = shown === undefined ? last : undefined;
  const [pressed, setPressed] = useState<{ image: Pressed; isShown: boolean }>();
  if (pressed && !pressed.isShown && shown === pressed.image.key) setPressed({ ...pressed, isShown: true });
  else if (pressed?.isShown && shown === undefined) setPressed(undefined);
  const go = useCallback(
    (key: string | undefined, replace: boolean) =>
      void navigate({ to: '.', search: (before: Search) => ({ ...before, picture: key }), replace, resetScroll: false }),
    [navigate],
  );
  const open = useCallback(
    (image: Pressed) => {
      openedHere.current = true;
      setPressed({ image, isShown: false });
      go(image.key, false);
    },
    [go],
  );
  const show = useCallback((key: string) => go(key, true), [go]);
  const close = useCallback(() => {
    setPressed(undefined);
    if (openedHere.current) router.history.back();
    else go(undefined, true);
    openedHere.current = false;
  }, [go, router]);
  const editedHere = useRef(false);
  const showNext = useRef<string>(undefined);
  const startEditing = useCallback(() => {
    editedHere.current = true;
    void navigate({ to: '.', search: (before: Search) => ({ ...before, edit: true as const }), resetScroll: false });
  }, [navigate]);
  const stopEditing = useCallback(
    (key?: string) => {
      showNext.current = key;
      const goBack = editedHere.current;
      // Going back takes a moment; a second press meanwhile must not go further.
      editedHere.current = false;
      if (goBack) router.history.back();
      else void navigate({ to: '.', search: (before: Search) => ({ ...before, edit: undefined }), replace: true, resetScroll: false });
    },
    [navigate, router],
  );
  // Going back takes a moment, and another image can only be shown after it.
  useEffect(() => {
    if (editing) return;
    editedHere.current = false;
    if (showNext.current !== undefined && showNext.current !== shown) show(showNext.current);
    showNext.current = undefined;
  }, [editing, shown, show]);
  return { shown, opening: pressed?.image, editing, returnTo, open, show, close, startEditing, stopEditing };
}
