/** Complexity of a field that runs an operation: some 37 of them fill a request. */
export const OPERATION_COMPLEXITY = 1_200
