// Defect: use after free
// A list is followed to its next node after that pointer's own node was freed.
// Launch: 1, 32, 0
// Args: out int[32] zeros
struct Node {
    int value;
    Node *next;
};
__global__ void k(int *out) {
    Node *list = nullptr;
    for (int i = 0; i < 3; i++) {
        Node *n = (Node *)malloc(sizeof(Node));
        n->value = i;
        n->next = list;
        list = n;
    }
    for (Node *n = list; n != nullptr; n = n->next) { // wrong
        out[threadIdx.x] += n->value;
        free(n);
    }
}
