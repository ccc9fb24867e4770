// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// Reads balances between the calls of a simulated block. It is never deployed: a simulation gives its code to an address.
/// No token can change what the next ones answer, spend more than its share of gas or make us copy more than a word.
contract WatchedBalances {
    struct Answer {
        /// Whether the token answered with a word.
        bool answered;
        uint256 amount;
    }

    uint256 private constant GAS_EACH = 300_000;

    /// Every owner's balance of every token, owner by owner. The zero address stands for the chain's own coin.
    function read(address[] calldata owners, address[] calldata tokens) external view returns (Answer[] memory answers) {
        answers = new Answer[](owners.length * tokens.length);
        for (uint256 i = 0; i < owners.length; ++i) {
            for (uint256 j = 0; j < tokens.length; ++j) {
                answers[i * tokens.length + j] =
                    tokens[j] == address(0) ? Answer(true, owners[i].balance) : ask(tokens[j], owners[i]);
            }
        }
    }

    function ask(address token, address owner) private view returns (Answer memory) {
        bytes memory question = abi.encodeWithSignature("balanceOf(address)", owner);
        bool answered;
        uint256 amount;
        assembly {
            answered := staticcall(GAS_EACH, token, add(question, 32), mload(question), 0, 32)
            answered := and(answered, gt(returndatasize(), 31))
            if answered { amount := mload(0) }
        }
        return Answer(answered, amount);
    }
}
