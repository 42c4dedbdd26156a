/** Carried by what a check starts; its value names the note of that check. Apart, so that whoever only asks for it loads no more. */
export const checkVariable = 'DONECHECK_CHECK'
